// The address: which file, property, view and node are looked at. It can be kept, shared in the room and reloaded.
import { keepToken } from "../api/client";
import { change, listen, now, type State, type View, VIEWS } from "./store";

interface Route {
  view: View;
  file: string;
  property: string | undefined;
  component: string | null | undefined;
  node: string | undefined;
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
    property: fields.get("property") ?? undefined,
    component: component === WHOLE ? null : (component ?? undefined),
    node: fields.get("node") ?? undefined,
  };
}

function format(state: State): string {
  const fields = new URLSearchParams({ view: state.view });
  if (state.file) fields.set("file", state.file);
  if (state.property !== undefined) fields.set("property", state.property);
  if (state.component !== undefined && state.view === "model") fields.set("component", state.component ?? WHOLE);
  if (state.node !== undefined && state.view !== "checks") fields.set("node", state.node);
  return `#${fields}`;
}

function follow() {
  const route = parse(location.hash);
  change({ ...route, file: route.file || now().file });
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
  if (now().view !== view) change({ view, node: undefined });
}
