component S from "joint.tm";
property "begins in p": mu p;
