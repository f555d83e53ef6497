// The drawing as a part of the page: sizes, keys, words for who does not see it.
import { useEffect, useRef, useState } from "preact/hooks";
import { wantsStillness } from "../ui/theme";
import { useTheme } from "../ui/use-theme";
import type { Manner } from "./layout";
import { Picture } from "./picture";
import type { Drawing } from "./types";

export interface CanvasProps {
  drawing: Drawing;
  label: string;
  manner?: Manner;
  /** There is only room for an overview. */
  small?: boolean;
  current?: string | undefined;
  trodden?: ReadonlySet<string>;
  found?: ReadonlySet<string>;
  onPick?: (id: string) => void;
  /** Double click, or Enter on the current node. */
  onOpen?: (id: string) => void;
  /** Keys that the view itself has a meaning for. */
  keepArrows?: boolean;
}

const NONE: ReadonlySet<string> = new Set();

const ARROWS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

export function GraphCanvas(props: CanvasProps) {
  const box = useRef<HTMLDivElement>(null);
  const { picture, busy, fault } = usePicture(box, props);
  const said = props.drawing.nodes.find((node) => node.id === props.current)?.title ?? "";
  const act = (event: KeyboardEvent) => {
    if (picture.current !== undefined && onKey(event, picture.current, props)) {
      event.preventDefault();
      event.stopPropagation();
    }
  };
  return (
    <div class="canvas">
      <div
        ref={box}
        class="canvas-box"
        role="application"
        aria-label={`${props.label}. Arrow keys go from node to node, Enter opens, plus and minus zoom, 0 fits.`}
        tabIndex={0}
        data-drawn={busy ? "no" : "yes"}
        onKeyDown={act}
      />
      {fault && <p class="canvas-busy bad" role="alert">This cannot be laid out: {fault}</p>}
      {busy && !fault && <p class="canvas-busy">laying out {props.drawing.nodes.length.toLocaleString("en")} nodes…</p>}
      <div class="canvas-tools" role="group" aria-label="Zoom">
        <button type="button" class="icon" title="Zoom in" aria-label="Zoom in" onClick={() => picture.current?.zoomBy(1.3)}>+</button>
        <button type="button" class="icon" title="Zoom out" aria-label="Zoom out" onClick={() => picture.current?.zoomBy(1 / 1.3)}>−</button>
        <button type="button" class="icon" title="Show all" aria-label="Show all" onClick={() => picture.current?.fit()}>⤢</button>
      </div>
      <p class="unseen" aria-live="polite">{said}</p>
    </div>
  );
}

function onKey(event: KeyboardEvent, picture: Picture, props: CanvasProps): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  const arrow = ARROWS[event.key];
  if (arrow !== undefined && !props.keepArrows) {
    const next = picture.beside(props.current, ...arrow);
    if (next !== undefined) props.onPick?.(next);
    return true;
  }
  if (event.key === "Enter" && props.current !== undefined && props.onOpen) props.onOpen(props.current);
  else if (event.key === "+" || event.key === "=") picture.zoomBy(1.3);
  else if (event.key === "-") picture.zoomBy(1 / 1.3);
  else if (event.key === "0") picture.fit();
  else return false;
  return true;
}

function usePicture(box: { current: HTMLDivElement | null }, props: CanvasProps) {
  const picture = useRef<Picture | undefined>(undefined);
  const latest = useRef(props);
  latest.current = props;
  const [busy, setBusy] = useState(true);
  const [fault, setFault] = useState<string>();
  const theme = useTheme();
  const many = Picture.isMany(props.drawing);

  useEffect(() => {
    const made = new Picture(
      box.current!,
      { pick: (id) => latest.current.onPick?.(id), open: (id) => latest.current.onOpen?.(id) },
      many,
    );
    picture.current = made;
    const watch = new ResizeObserver(() => made.resize());
    watch.observe(box.current!);
    return () => {
      watch.disconnect();
      made.dispose();
    };
  }, [many]);

  useEffect(() => {
    setBusy(true);
    setFault(undefined);
    const { drawing, manner = "layers", current } = props;
    void picture.current!.draw(drawing, manner, current, props.small ?? false).then(
      () => {
        setBusy(false);
        markNow(picture.current!, latest.current);
      },
      (error) => setFault(String(error)),
    );
  }, [props.drawing, props.manner, many]);

  useEffect(() => markNow(picture.current!, props), [props.current, props.trodden, props.found]);
  useEffect(() => picture.current!.recolour(), [theme]);
  return { picture, busy, fault };
}

function markNow(picture: Picture, props: CanvasProps) {
  picture.mark(props.current, props.trodden ?? NONE, props.found ?? NONE);
  if (props.current !== undefined) picture.reveal(props.current, wantsStillness());
}
