// The editor's colours, by the variables of the page. Nothing here is an image or a style element: the page's
// policy allows neither, and the editor lives in a shadow root, where its sheets are adopted.
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const frame = EditorView.theme({
  "&": { height: "100%", fontSize: "14px", color: "var(--ink)", backgroundColor: "var(--panel)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.6", overscrollBehavior: "contain" },
  ".cm-content": { padding: "14px 0 40vh", caretColor: "var(--accent)" },
  ".cm-line": { padding: "0 18px 0 8px" },
  ".cm-gutters": { backgroundColor: "var(--panel)", color: "var(--soft)", border: "none", paddingLeft: "10px" },
  ".cm-activeLine": { backgroundColor: "var(--line)" },
  ".cm-activeLineGutter": { backgroundColor: "var(--line)", color: "var(--ink)" },
  ".cm-cursor": { borderLeftColor: "var(--accent)", borderLeftWidth: "2px" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--selection)",
  },
  ".cm-matchingBracket": { backgroundColor: "var(--selection)", outline: "none" },
  ".cm-here": { backgroundColor: "var(--here)", boxShadow: "inset 3px 0 var(--accent)" },
});

const lint = EditorView.theme({
  ".cm-lintRange": { backgroundImage: "none", paddingBottom: "1px" },
  ".cm-lintRange-error": { textDecoration: "underline wavy var(--fail) 1.5px", textUnderlineOffset: "3px" },
  ".cm-lintRange-warning": { textDecoration: "underline wavy var(--open) 1.5px", textUnderlineOffset: "3px" },
  ".cm-lintRange-info": { textDecoration: "underline dotted var(--accent) 1.5px", textUnderlineOffset: "3px" },
  ".cm-lintPoint:after": { borderBottomColor: "var(--fail)" },
  ".cm-tooltip": {
    backgroundColor: "var(--panel)",
    color: "var(--ink)",
    border: "1px solid var(--rule)",
    borderRadius: "8px",
    boxShadow: "var(--shadow)",
    maxWidth: "min(34rem, 92vw)",
  },
  ".cm-diagnostic": { padding: "8px 12px", fontFamily: "var(--sans)", fontSize: "14px", whiteSpace: "pre-wrap" },
  ".cm-diagnostic-error": { borderLeft: "4px solid var(--fail)" },
  ".cm-diagnostic-warning": { borderLeft: "4px solid var(--open)" },
  ".cm-panels": { backgroundColor: "var(--paper)", color: "var(--ink)", borderColor: "var(--rule)" },
  ".cm-panel.cm-search": { padding: "8px 12px", fontFamily: "var(--sans)", fontSize: "14px" },
  ".cm-panel.cm-search input, .cm-panel.cm-search button": {
    backgroundImage: "none",
    backgroundColor: "var(--panel)",
    color: "var(--ink)",
    border: "1px solid var(--rule)",
    borderRadius: "6px",
    padding: "3px 8px",
    fontSize: "13px",
  },
  ".cm-searchMatch": { backgroundColor: "var(--changed)" },
});

const colours = HighlightStyle.define([
  { tag: tags.keyword, color: "var(--code-keyword)", fontWeight: "600" },
  { tag: tags.typeName, color: "var(--code-type)" },
  { tag: tags.modifier, color: "var(--code-modal)", fontWeight: "600" },
  { tag: tags.atom, color: "var(--code-atom)" },
  { tag: tags.number, color: "var(--code-atom)" },
  { tag: tags.string, color: "var(--code-string)" },
  { tag: tags.comment, color: "var(--soft)", fontStyle: "italic" },
  { tag: tags.operator, color: "var(--code-operator)" },
  { tag: tags.labelName, color: "var(--code-label)", fontWeight: "600" },
  { tag: tags.meta, color: "var(--code-type)" },
]);

export const appearance = [frame, lint, syntaxHighlighting(colours)];
