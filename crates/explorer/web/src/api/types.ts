// What the server says. ../../API.md of the crate is the contract; the names here are those there.

export type Value = "true" | "false" | "unknown";

export interface Span {
  file: string;
  from: number;
  to: number;
  line: number;
  column: number;
}

export interface SourceFile {
  name: string;
  language: string;
  given: boolean;
  text: string | null;
  bytes?: number;
}

export interface Session {
  version: string;
  files: SourceFile[];
  methods: string[];
  timeout: number;
  memory: number;
  jobs: number;
}

export interface Label extends Span {
  message: string | null;
}

export interface Diagnostic {
  severity: "error" | "warning" | "note";
  message: string;
  help: string | null;
  labels: Label[];
}

export interface ComponentOutline {
  name: string;
  kind: string;
  unknown: boolean;
  states: number | null;
  transitions: number | null;
  initial: number | null;
  props: string[];
  actions: string[];
}

export interface PropertyOutline {
  name: string;
  logic: string;
  formula: string;
  span: Span | null;
  unsupported: string | null;
}

export interface Outline {
  language: string;
  family: "props" | "actions";
  system: string | null;
  components: ComponentOutline[];
  /** The processes of a symbolic model, or its instances of modules, which have drawings of their own. */
  parts: string[];
  variables: { name: string; values: string }[];
  vectors: string[];
  hidden: string[];
  properties: PropertyOutline[];
  safeties: string[];
  methods: string[];
}

export interface Reading {
  reads: boolean;
  diagnostics: Diagnostic[];
  outline: Outline | null;
}

export interface ModelNode {
  id: number;
  name: string;
  members: string[];
  initial: boolean;
  true: string[];
  unknown: string[];
  out: number;
  in: number;
  more: number;
}

export interface ModelEdge {
  from: number;
  to: number;
  may: boolean;
  must: boolean;
  action: string | null;
}

export interface ModelGraph {
  component: string | null;
  kind: string;
  states: number;
  transitions: number;
  components: string[];
  props: string[];
  complete: boolean;
  nodes: ModelNode[];
  edges: ModelEdge[];
  edges_left_out?: number;
  hyper: { from: number; to: number[]; inside: boolean }[];
  covers: { state: number; covered: number[]; exactly: boolean }[];
  constants: [string, string][];
}

export interface FoundStates {
  total: number;
  states: { id: number; name: string; initial: boolean }[];
}

export interface Stats {
  states?: number;
  transitions?: number;
  game_nodes?: number;
  game_edges?: number;
  component_nodes?: number[];
  product_nodes?: number;
  iterations?: number;
  coloured_nodes?: number;
  bdd_nodes?: number;
  peak_bytes?: number;
  abstract_states?: AbstractStates[];
}

export interface Answer {
  property: string;
  logic: string;
  formula: string;
  verdict: Value;
  method: string;
  seconds: number;
  reason: string | null;
  falsified_in: string | null;
  stats: Stats;
  /** Minimal sets of facts that would decide an unknown, small ones first. */
  causes?: DecidingFacts[];
}

export interface DecidingFacts {
  facts: Fact[];
  verdict: Value;
}

/** A label that a component leaves unknown, or a transition. */
export interface Fact {
  component: string;
  holds: boolean;
  state?: string;
  proposition?: string;
  from?: string;
  to?: string;
  action?: string | null;
}

export interface AbstractStates {
  component: string;
  abstract_states: number;
  concrete_states: number | null;
}

export interface Change {
  kind: string;
  component?: string;
  state?: string;
  by?: string;
  parts?: number;
}

export interface Round {
  round: number;
  cause?: { case: number; state: string[]; subformula: string };
  change: Change;
  abstract_states?: AbstractStates[];
  coloured_nodes?: number;
  unknown_nodes?: number;
}

export interface InputError {
  message: string;
  file: string | null;
  line: number | null;
  column: number | null;
  help: string | null;
}

export type CheckEvent =
  | { event: "queued"; job: number; before: number }
  | { event: "started"; job: number }
  | { event: "plan"; properties: { name: string; logic: string; formula: string }[] }
  | { event: "progress"; phase: string; done: number; total: number; seconds: number; memory_bytes: number }
  | { event: "note"; text: string; errors?: InputError[] }
  | { event: "round"; property: string; text: string; round: Round }
  | { event: "answer"; answer: Answer }
  | { event: "refused"; property: string; text: string; errors?: InputError[] }
  | { event: "end"; job: number; status: number | null; cancelled: boolean; seconds: number };

export interface Member {
  name: string;
  true: string[];
  unknown: string[];
}

export interface Step {
  action: string | null;
  must: boolean;
  hyper: boolean;
}

export interface Position {
  state: number;
  subformula: string;
  value: Value;
  why: "itself" | "one" | "all" | "unfolding" | "unknown" | "throughout" | "unexplored";
  successors: { node: number; transition: Step | null }[];
}

export interface Part {
  subformula: string;
  kind: string;
  from: number | null;
  to: number | null;
  negated?: boolean;
  source: Span | null;
  within?: string | null;
}

interface ExplanationHead {
  property: string;
  logic: string;
  formula: string;
  verdict: Value;
  reason: string | null;
}

/** A step of a trace, as `check --json` has it, with the state that it leads to. */
export interface TracedStep {
  state: Record<string, unknown>;
  inputs: Record<string, unknown> | null;
  action: string | null;
  process: string | null;
  statement: string | null;
  line: number | null;
}

export interface GraphExplanation extends ExplanationHead {
  trace: { steps: TracedStep[] } | null;
  shape: "graph";
  components: string[];
  states: { members: (Member | null)[] }[];
  nodes: Position[];
  roots: number[];
  unexplored: number;
  subformulas: Part[];
}

export interface TraceStep {
  line: number | null;
  statement: string;
  values: Record<string, string>;
  notes: string[];
}

export interface TraceExplanation extends ExplanationHead {
  shape: "trace";
  steps: TraceStep[];
  loop_start: number | null;
  complete: boolean;
}

export type Explanation = GraphExplanation | TraceExplanation;

export interface Subformula {
  id: number;
  text: string;
  kind: string;
  owner: "verifier" | "falsifier" | null;
  priority: number;
  from: number | null;
  to: number | null;
  negated: boolean;
  source: Span | null;
  within: string | null;
}

export interface Game {
  id: string;
  kind: "component" | "unknown" | "product" | "composition";
  title: string;
  components: number[];
  of: string[];
  nodes: number;
  edges: number;
  colours: Record<Value, number>;
  initial: number[];
  verdict: Value;
  decided: Record<Value, number>;
}

export interface Games {
  property: string;
  logic: string;
  formula: string;
  verdict: Value;
  components: string[];
  subformulas: Subformula[];
  games: Game[];
  notes: string[];
}

export interface GameNode {
  id: number;
  state: string;
  members: string[];
  states: number[];
  subformula: number;
  colour: Value;
  owner: "verifier" | "falsifier" | null;
  initial: boolean;
  frontier: boolean;
  out: number;
  in: number;
  more: number;
}

export interface GameGroup {
  id: string;
  subformula: number;
  colour: Value;
  owner: "verifier" | "falsifier" | null;
  count: number;
  initial: number;
  frontier: number;
  first: number;
}

export interface GameGraph {
  game: string;
  complete: boolean;
  nodes: GameNode[];
  edges: { from: number; to: number; may: boolean; must: boolean; step: boolean }[];
  groups: GameGroup[];
  bundles: { from: string; to: string; count: number; open: number }[];
}

export interface GameNodes {
  total: number;
  offset: number;
  nodes: GameNode[];
  searched?: number;
}

/** The answer to `/api/walk`: values are pairs of a name and a text. */
export interface WalkDocument {
  state: [string, string][] | null;
  locations: [string, number, string][];
  steps: WalkStep[];
  choices: WalkStep[];
  has_more: boolean;
  may_be_unreachable: boolean;
  watched: WalkedFormula[];
}

export interface WalkStep {
  by: string;
  may_only: boolean;
  must_only: boolean;
  changed: [string, string][];
}

export interface WalkedFormula {
  formula: string;
  value: Value;
  reason: string | null;
}
