component Sender from "sender.aut";
component Receiver from "receiver.aut";
component Clock from "clock.aut";
system Sender || Receiver || Clock sync { Sender:send | Receiver:recv -> comm; } hide { fail };
property "done after comm": mcf [true*.comm]<true*.done>true;
property "no sending alone": mcf [true*.comm.(!done)*.comm]false;
