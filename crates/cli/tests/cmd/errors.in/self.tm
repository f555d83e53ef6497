component A from "self.tm";
