component Clock from "clock.aut";
component Other from "parts/other.tm";
system Clock || Other;
property "a then b": mcf [true*]<true*.a.b>true;
