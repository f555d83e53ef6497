component S from "both.tm";
property "knows p": mu <> (p | !p);
