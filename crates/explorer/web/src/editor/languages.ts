// The languages that Tertium reads, as far as colours go.
import type { Extension } from "@codemirror/state";
import { highlighter, type Words } from "./words";

const CTL = "AX EX AF EF AG EG A E U R W V";

const TM: Words = {
  name: "tm",
  lineComment: "//",
  blockComment: ["/*", "*/"],
  keywords: "component system safety property props actions init covers sync hide from",
  types: "kripke kmts mixts gkmts lts mts unknown",
  constants: "true false tau",
  modal: `mu nu ctl mcf box dia and or not ${CTL}`,
  operators: /^(?:-[\p{L}_][\p{L}\p{N}_.]*(?:->|\?>|!>)|<->|->|=>|\?>|!>|\|\||&&|\[\]|<>|[|&!?*])/u,
  labels: true,
};

const SMV: Words = {
  name: "smv",
  lineComment: "--",
  blockComment: ["/--", "--/"],
  keywords:
    "MODULE VAR IVAR FROZENVAR DEFINE CONSTANTS ASSIGN INIT TRANS INVAR FAIRNESS JUSTICE COMPASSION SPEC CTLSPEC LTLSPEC " +
    "INVARSPEC PSLSPEC COMPUTE NAME ISA PRED MIRROR init next case esac process self union in mod xor xnor count",
  types: "boolean integer array of word signed unsigned",
  constants: "TRUE FALSE",
  modal: `${CTL} F G X H O S T Y Z`,
  rest: /[\p{L}\p{N}_.$#]/u,
  operators: /^(?::=|<->|->|!=|<=|>=|\.\.|::|<<|>>|[|&!?=<>+*/-])/,
};

const PROMELA: Words = {
  name: "promela",
  lineComment: "//",
  blockComment: ["/*", "*/"],
  keywords:
    "proctype active init never do od if fi else break goto skip atomic d_step run inline typedef mtype printf assert provided " +
    "unless timeout eval select for in len empty full nempty nfull xr xs ltl notrace trace local hidden show of",
  types: "bit bool byte short int unsigned chan pid",
  constants: "true false np_ _pid _last _nr_pr",
  operators: /^(?:::|->|&&|\|\||==|!=|<=|>=|<<|>>|\+\+|--|!!|\?\?|[|&!?=<>+*/%^~-])/,
  preprocessor: /^\s*#/,
  labels: true,
};

const WHILE: Words = {
  name: "while",
  lineComment: "//",
  blockComment: ["/*", "*/"],
  keywords: "var of proc in out process predicates if then else fi while do od skip assume fin hole any property not and or mod",
  types: "bool int array",
  constants: "true false error end",
  modal: `mu nu ctl ${CTL}`,
  operators: /^(?::=|\.\.|<->|->|!=|<=|>=|[|&!=<>+*/%-])/,
  labels: true,
};

const BY_ENDING: Record<string, Words> = { tm: TM, smv: SMV, pml: PROMELA, promela: PROMELA, while: WHILE };

export function languageOf(file: string): Extension {
  const words = BY_ENDING[file.slice(file.lastIndexOf(".") + 1).toLowerCase()];
  return words === undefined ? [] : highlighter(words);
}
