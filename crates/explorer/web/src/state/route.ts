// The address: which file, property, view and node are looked at. It can be kept, shared in the room and reloaded.
import { keepToken } from "../api/client";
import { change, listen, now, type Question, type State, type View, VIEWS } from "./store";

interface Route {
  view: View;
  file: string;
  property: string | undefined;
  component: string | null | undefined;
  part: string | undefined;
  node: string | undefined;
  typed: Question[];
}

/** What stands for the whole system, where a component's name could stand. */
const WHOLE = "*";

function parse(hash: string): Route {
  const fields = new URLSearchParams(hash.replace(/^#/, ""));
  const token = fields.get("token");
  if (token) keepToken(token);
  const view = VIEWS.find((one) => one === fields.get("view")) ?? "model";
  const component = fields.get("component");
  return {
    view,
    file: fields.get("file") ?? "",
    ...askedFor(fields),
    component: component === WHOLE ? null : (component ?? undefined),
    part: fields.get("part") ?? undefined,
    node: fields.get("node") ?? undefined,
  };
}

/** A property of the files by its name, or a typed formula with its logic: `ask=ctl:EF p`. */
function askedFor(fields: URLSearchParams): Pick<Route, "property" | "typed"> {
  const told = /^(mu|ctl|mcf):(.+)$/.exec(fields.get("ask") ?? "");
  if (told === null) return { property: fields.get("property") ?? undefined, typed: [] };
  const [, logic, formula] = told as unknown as [string, string, string];
  return { property: formula, typed: [{ name: formula, logic, formula, typed: true, unsupported: null }] };
}

function format(state: State): string {
  const fields = new URLSearchParams({ view: state.view });
  if (state.file) fields.set("file", state.file);
  const typed = state.typed.find((one) => one.name === state.property);
  if (typed !== undefined) fields.set("ask", `${typed.logic}:${typed.formula}`);
  else if (state.property !== undefined) fields.set("property", state.property);
  if (state.component !== undefined && state.view === "model") fields.set("component", state.component ?? WHOLE);
  if (state.part !== undefined) fields.set("part", state.part);
  if (state.node !== undefined && state.view !== "checks") fields.set("node", state.node);
  return `#${fields}`;
}

function follow() {
  const route = parse(location.hash);
  const known = now().typed;
  const typed = [...known, ...route.typed.filter((one) => !known.some((old) => old.name === one.name))];
  change({ ...route, typed, file: route.file || now().file });
}

/** A new view is a new place in the browser's history; a node within it is not. */
function write() {
  if (now().session === undefined) return;
  const hash = format(now());
  if (hash === location.hash) return;
  const sameView = parse(hash).view === parse(location.hash).view;
  if (sameView) history.replaceState(null, "", hash);
  else history.pushState(null, "", hash);
}

export function startRouting() {
  follow();
  addEventListener("popstate", follow);
  addEventListener("hashchange", follow);
  listen(write);
}

export function show(view: View) {
  if (now().view !== view) change({ view, part: undefined, node: undefined });
}
