property "done after comm": mcf [true*.comm]<true*.done>true;
property "no sending alone": mcf [true*.comm.(!done)*.comm]false;
