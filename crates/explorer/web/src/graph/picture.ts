// One drawing on the screen: cytoscape behind a few plain verbs.
import cytoscape, { type Core, type ElementDefinition, type NodeSingular } from "cytoscape";
import { type Manner, middle, place, type Placement, type Point, relative } from "./layout";
import { look } from "./look";
import { shownLabel, sizeOf } from "./measure";
import type { DrawnEdge, DrawnNode, Drawing } from "./types";

export interface Listener {
  pick(id: string): void;
  open(id: string): void;
}

/** From here on, moving the picture moves an image of it, and edges come back when it rests. */
const MANY_ELEMENTS = 700;

/** Below this, labels are too small. */
const READABLE = 0.2;
const COMFORTABLE = 0.85;

export class Picture {
  private readonly core: Core;
  private turn = 0;
  private shown: Drawing | undefined;
  /** What was seen when all was last in sight. */
  private fitted: string | undefined;

  constructor(container: HTMLElement, listener: Listener, many: boolean) {
    this.core = cytoscape({
      container,
      style: look(),
      minZoom: 0.03,
      maxZoom: 3,
      boxSelectionEnabled: false,
      autounselectify: true,
      textureOnViewport: many,
      hideEdgesOnViewport: many,
      pixelRatio: many ? 1 : "auto",
    });
    this.core.on("tap", "node", (event) => listener.pick(event.target.id()));
    this.core.on("dbltap", "node", (event) => listener.open(event.target.id()));
  }

  static isMany(drawing: Drawing): boolean {
    return drawing.nodes.length + drawing.edges.length > MANY_ELEMENTS;
  }

  /** Draws; a node that was there before and is `anchor` stays where the eye is. A small picture always shows all. */
  async draw(drawing: Drawing, manner: Manner, anchor: string | undefined, small: boolean): Promise<void> {
    const turn = ++this.turn;
    const placement = await place(drawing, manner);
    if (turn !== this.turn || this.core.destroyed()) return;
    const held = anchor === undefined ? undefined : this.heldAt(anchor);
    const first = this.shown === undefined;
    this.core.batch(() => {
      this.core.elements().remove();
      this.core.add(elements(drawing, placement));
    });
    this.shown = drawing;
    if (small) this.fit();
    else if (first || held === undefined) this.begin(anchor);
    else this.hold(anchor!, held);
  }

  private heldAt(id: string): Point | undefined {
    const node = this.core.getElementById(id);
    return node.nonempty() ? node.renderedPosition() : undefined;
  }

  private hold(id: string, at: Point) {
    const now = this.core.getElementById(id).renderedPosition();
    this.core.panBy({ x: at.x - now.x, y: at.y - now.y });
  }

  /** All of it if that can be read, else the beginning of it. */
  private begin(anchor: string | undefined) {
    this.fit();
    if (this.core.zoom() >= READABLE) return;
    const entry = this.core.nodes("[role = 'entry']");
    const first = entry.sort((a, b) => a.position().y - b.position().y || a.position().x - b.position().x);
    const start = anchor === undefined ? first : this.core.getElementById(anchor);
    if (start.empty()) return;
    this.core.zoom(COMFORTABLE);
    const at = start[0]!.renderedPosition();
    this.core.panBy({ x: this.core.width() / (entry.length > 1 ? 4 : 2) - at.x, y: (anchor === undefined ? 30 : 110) - at.y });
  }

  fit() {
    this.core.resize();
    this.core.fit(undefined, 28);
    if (this.core.zoom() > 1.25) {
      this.core.zoom(1.25);
      this.core.center();
    }
    this.fitted = this.viewport();
  }

  private viewport(): string {
    return JSON.stringify([this.core.zoom(), this.core.pan()]);
  }

  zoomBy(factor: number) {
    const level = this.core.zoom() * factor;
    this.core.zoom({ level, renderedPosition: { x: this.core.width() / 2, y: this.core.height() / 2 } });
  }

  recolour() {
    this.core.style(look());
  }

  /** The room has changed: who had all in sight goes on seeing all. */
  resize() {
    if (this.fitted === this.viewport()) this.fit();
    else this.core.resize();
  }

  mark(current: string | undefined, trodden: ReadonlySet<string>, found: ReadonlySet<string>) {
    this.core.batch(() => {
      this.core.elements().forEach((element) => {
        element.toggleClass("current", element.id() === current);
        element.toggleClass("trodden", trodden.has(element.id()));
        element.toggleClass("found", found.has(element.id()));
      });
    });
  }

  /** Brings a node into sight if it is not. */
  reveal(id: string, still: boolean) {
    const node = this.core.getElementById(id);
    const seesAll = this.fitted === this.viewport();
    if (node.empty() || seesAll || this.sees(node)) return;
    if (still) this.core.center(node);
    else this.core.animate({ center: { eles: node }, duration: 220 });
  }

  private sees(node: NodeSingular): boolean {
    const at = node.renderedPosition();
    const inside = (place: number, room: number) => place > Math.min(90, room / 4) && place < room - Math.min(90, room / 4);
    return inside(at.x, this.core.width()) && inside(at.y, this.core.height());
  }

  /** An initial node, or the first that there is. */
  private start(): NodeSingular | undefined {
    return this.core.nodes("[role = 'entry']").outgoers("node").union(this.core.nodes("[role != 'entry']"))[0];
  }

  /** The node that lies next in a direction, for who walks by keyboard. */
  beside(id: string | undefined, dx: number, dy: number): string | undefined {
    const all = this.core.nodes("[role != 'entry']");
    const here = id === undefined ? undefined : this.core.getElementById(id);
    if (here === undefined || here.empty()) return this.start()?.id();
    const from = here.position();
    let best: string | undefined;
    let least = Infinity;
    all.forEach((node) => {
      const to = node.position();
      const ahead = (to.x - from.x) * dx + (to.y - from.y) * dy;
      const aside = Math.abs((to.x - from.x) * dy) + Math.abs((to.y - from.y) * dx);
      const cost = ahead + 2.5 * aside;
      if (ahead > 4 && cost < least) {
        least = cost;
        best = node.id();
      }
    });
    return best;
  }

  dispose() {
    this.turn++;
    this.core.destroy();
  }
}

function elements(drawing: Drawing, placement: Placement): ElementDefinition[] {
  const widths = new Map(drawing.nodes.map((node) => [node.id, sizeOf(node).width]));
  return [
    ...drawing.nodes.map((node) => nodeElement(node, placement)),
    ...drawing.edges.map((edge) => (edge.source === edge.target ? loopElement(edge, widths.get(edge.source) ?? 0) : edgeElement(edge, placement))),
  ];
}

/** A loop has to reach out of its node, whose middle it is measured from. */
function loopElement(edge: DrawnEdge, width: number): ElementDefinition {
  return { data: { ...edge, reach: (width / 2 + 34) / 1.4 } };
}

function nodeElement(node: DrawnNode, placement: Placement): ElementDefinition {
  const { id, role, tone, more, marked } = node;
  return {
    data: { id, role, tone, more, marked, label: shownLabel(node), ...sizeOf(node) },
    position: placement.nodes.get(id) ?? { x: 0, y: 0 },
  };
}

function edgeElement(edge: DrawnEdge, placement: Placement): ElementDefinition {
  const route = placement.routes.get(edge.id);
  const from = placement.nodes.get(edge.source);
  const to = placement.nodes.get(edge.target);
  if (route === undefined || from === undefined || to === undefined) return { data: { ...edge } };
  const leaves = away(from, route[0]!);
  const arrives = away(to, route.at(-1)!);
  const label = placement.labels.get(edge.id);
  const [labelX, labelY] = label === undefined ? [0, 0] : away(middle(route), label);
  return { data: { ...edge, leaves, arrives, labelX, labelY, ...relative(route) } };
}

function away(from: Point, to: Point): [number, number] {
  return [to.x - from.x, to.y - from.y];
}
