component A from "missing.aut";
component B from "target.aut";
component C from "good.tm";
system A || B || C;
