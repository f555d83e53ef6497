// How drawings look in cytoscape. Colours come from the page's stylesheet, so dark and light are said once.
import type { StylesheetJson } from "cytoscape";
import { FONT_SIZE } from "./measure";

function colour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

const MONO = '"DejaVu Sans Mono", ui-monospace, Menlo, Consolas, monospace';

export function look(): StylesheetJson {
  return [...nodes(), ...tones(), ...edges(), ...states()] as StylesheetJson;
}

function nodes() {
  return [
    {
      selector: "node",
      style: {
        label: "data(label)",
        width: "data(width)",
        height: "data(height)",
        shape: "round-rectangle",
        "font-family": MONO,
        "font-size": FONT_SIZE,
        "text-valign": "center",
        "text-halign": "center",
        "text-wrap": "wrap",
        "line-height": 1.2,
        "min-zoomed-font-size": 5,
        color: colour("ink"),
        "background-color": colour("node"),
        "border-width": 1.5,
        "border-color": colour("node-rule"),
        "overlay-opacity": 0,
      },
    },
    { selector: "node[role='entry']", style: { shape: "ellipse", "background-color": colour("soft"), "border-width": 0 } },
    { selector: "node[role='fork']", style: { shape: "diamond", "background-color": colour("ink"), "border-width": 0 } },
    { selector: "node[role='group']", style: { "border-style": "double", "border-width": 5 } },
    { selector: "node[?more]", style: { "border-style": "dashed" } },
    { selector: "node[?marked]", style: { "border-width": 4, "border-color": colour("accent") } },
  ];
}

/** A box with a point at each side. */
const POINTED = "-1 0 -0.86 -1 0.86 -1 1 0 0.86 1 -0.86 1";

function tones() {
  return [
    tone("true", "hold", "round-rectangle"),
    tone("false", "fail", "cut-rectangle"),
    tone("unknown", "open", "polygon"),
    { selector: "node[tone='unknown']", style: { "shape-polygon-points": POINTED } },
  ];
}

/** A value is a colour and a shape, and its letter stands in the label. */
function tone(value: string, name: string, shape: string) {
  return {
    selector: `node[tone='${value}']`,
    style: { "background-color": colour(`${name}-wash`), "border-color": colour(name), shape },
  };
}

function edges() {
  return [
    {
      selector: "edge",
      style: {
        width: 1.6,
        "line-color": colour("edge"),
        "target-arrow-color": colour("edge"),
        "target-arrow-shape": "triangle",
        "arrow-scale": 0.95,
        "curve-style": "bezier",
        "control-point-step-size": 34,
        "loop-direction": "90deg",
        "loop-sweep": "40deg",
        "overlay-opacity": 0,
        color: colour("soft"),
        "font-family": MONO,
        "font-size": 11,
        "text-background-color": colour("panel"),
        "text-background-opacity": 0.9,
        "text-background-padding": "2px",
        "min-zoomed-font-size": 6,
      },
    },
    { selector: "edge[reach]", style: { "control-point-step-size": "data(reach)" } },
    { selector: "edge[label]", style: { label: "data(label)" } },
    {
      selector: "edge[leaves]",
      style: { "curve-style": "straight", "source-endpoint": "data(leaves)", "target-endpoint": "data(arrives)" },
    },
    { selector: "edge[label][leaves]", style: { "text-margin-x": "data(labelX)", "text-margin-y": "data(labelY)" } },
    {
      selector: "edge[weights]",
      style: {
        "curve-style": "round-segments",
        "segment-weights": "data(weights)",
        "segment-distances": "data(distances)",
        "segment-radii": 18,
        "edge-distances": "endpoints",
      },
    },
    { selector: "edge[kind='may']", style: { "line-style": "dashed", "line-dash-pattern": [6, 4], "target-arrow-shape": "vee" } },
    { selector: "edge[kind='mustonly']", style: { width: 3, "source-arrow-shape": "tee", "source-arrow-color": colour("edge") } },
    { selector: "edge[kind='same']", style: { "line-style": "dotted", width: 1.2, "target-arrow-shape": "vee" } },
    { selector: "edge[kind='entry']", style: { width: 1.6, "line-color": colour("soft"), "target-arrow-color": colour("soft") } },
  ];
}

function states() {
  const accent = colour("accent");
  return [
    { selector: "node.faint", style: { opacity: 0.25 } },
    { selector: "edge.faint", style: { opacity: 0.12 } },
    { selector: "node.trodden", style: { "border-width": 3 } },
    {
      selector: "edge.trodden",
      style: { width: 3, "line-color": accent, "target-arrow-color": accent, "source-arrow-color": accent, opacity: 1 },
    },
    {
      selector: "node.current",
      style: { "border-width": 4, "border-color": accent, "underlay-color": accent, "underlay-opacity": 0.18, "underlay-padding": 7 },
    },
    { selector: "node.found", style: { "underlay-color": accent, "underlay-opacity": 0.28, "underlay-padding": 6 } },
  ];
}
