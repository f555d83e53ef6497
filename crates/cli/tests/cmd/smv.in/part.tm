component A from "all.smv";
property p: ctl AG true;
