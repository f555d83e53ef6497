component Other from "other.aut";
