// All that the page knows, in one place. Views read it by `useStore` and change it by the verbs beside this file.
import { useEffect, useReducer, useRef } from "preact/hooks";
import type { Answer, Outline, Reading, Round, Session, Value } from "../api/types";

export const VIEWS = ["model", "checks", "evidence", "walk", "diagnosis"] as const;
export type View = (typeof VIEWS)[number];

/** The question: a property of the files, or a typed formula. */
export interface Question {
  name: string;
  logic: string;
  formula: string;
  typed: boolean;
  unsupported: string | null;
}

export interface Told {
  text: string;
  round: Round;
}

/** One answer, with the version of the texts that it is about. */
export interface Result {
  answer: Answer;
  asked: string;
  version: number;
  rounds: Told[];
}

export interface Progress {
  phase: string;
  done: number;
  total: number;
  seconds: number;
  memory_bytes: number;
}

export interface Running {
  version: number;
  job: number | undefined;
  method: string;
  names: string[];
  answered: Map<string, Value | "refused">;
  before: number;
  progress: Progress | undefined;
  rounds: Told[];
  stop: AbortController;
}

export interface Complaint {
  name: string;
  text: string;
}

/** What a check is told besides its method; as the flags of the command line. */
export interface Options {
  /** Seconds; what the program was started with, if nothing is said. */
  timeout: number | undefined;
  deadlock: "warn" | "stutter" | "error";
  semantics: "sis" | "ris" | null;
}

export interface State {
  session: Session | undefined;
  /** The server does not answer, or not to us. */
  gone: { message: string; help: string | null } | undefined;
  texts: Record<string, string>;
  /** Counts changes of the texts. */
  version: number;
  /** The last version that could be read, what of it was not as the server has it, and what stood in it. */
  readable: number;
  readTexts: Record<string, string>;
  outline: Outline | undefined;
  reading: Reading | undefined;
  busyReading: boolean;
  file: string;
  view: View;
  property: string | undefined;
  component: string | null | undefined;
  /** The form of a view that is shown: tree, table, refinement. */
  part: string | undefined;
  node: string | undefined;
  typed: Question[];
  method: string;
  options: Options;
  results: Result[];
  /** The last word on each question, with the version of the texts that it is about. */
  verdicts: Record<string, { value: Value; version: number }>;
  complaints: Complaint[];
  running: Running | undefined;
  /** Where the evidence stands: the state of each component, by its name. */
  standing: Record<string, string>;
  /** The same for a program: the line that comes next. */
  line: number | undefined;
  /** The free walk: the values that it begins with, and the number of the choice in each state. */
  walk: { from: Record<string, string>; path: number[] };
  helpOpen: boolean;
  /** Something that was done, and how to take it back. */
  notice: { text: string; undo: () => void } | undefined;
}

let state: State = {
  session: undefined,
  gone: undefined,
  texts: {},
  version: 0,
  readable: -1,
  readTexts: {},
  outline: undefined,
  reading: undefined,
  busyReading: false,
  file: "",
  view: "model",
  property: undefined,
  component: undefined,
  part: undefined,
  node: undefined,
  typed: [],
  method: "auto",
  options: { timeout: undefined, deadlock: "warn", semantics: null },
  results: [],
  verdicts: {},
  complaints: [],
  running: undefined,
  standing: {},
  line: undefined,
  walk: { from: {}, path: [] },
  helpOpen: false,
  notice: undefined,
};

const listeners = new Set<() => void>();

export function now(): State {
  return state;
}

export function change(part: Partial<State>) {
  state = { ...state, ...part };
  listeners.forEach((listener) => listener());
}

export function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** A part of the state; the caller is drawn again when it is another one, compared by identity. */
export function useStore<T>(select: (state: State) => T): T {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const seen = useRef({ select, value: select(state) });
  seen.current = { select, value: select(state) };
  useEffect(() => {
    const look = () => {
      if (seen.current.select(state) !== seen.current.value) redraw(undefined);
    };
    look();
    return listen(look);
  }, []);
  return seen.current.value;
}
