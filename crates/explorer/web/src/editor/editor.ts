// The editor of all files: one view, and a state for each file, so that each keeps its own history of changes.
import { closeBrackets, closeBracketsKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab, redo, undo } from "@codemirror/commands";
import { bracketMatching, indentOnInput, indentUnit } from "@codemirror/language";
import { type Diagnostic, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState, type Extension, StateEffect, StateField } from "@codemirror/state";
import {
  Decoration, type DecorationSet, drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers,
} from "@codemirror/view";
import { languageOf } from "./languages";
import { appearance } from "./theme";

export interface Place {
  from: number;
  to: number;
}

/** Lines that belong to what is looked at elsewhere on the page. */
const point = StateEffect.define<Place[]>();
const pointed = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(old, change) {
    const told = change.effects.find((effect) => effect.is(point));
    if (told === undefined) return old.map(change.changes);
    const starts = new Set((told.value as Place[]).map((place) => change.state.doc.lineAt(within(change.state, place.from)).from));
    return Decoration.set([...starts].sort((a, b) => a - b).map((at) => Decoration.line({ class: "cm-here" }).range(at)));
  },
  provide: (field) => EditorView.decorations.from(field),
});

function within(state: EditorState, at: number): number {
  return Math.max(0, Math.min(at, state.doc.length));
}

export class Editor {
  private readonly view: EditorView;
  private readonly states = new Map<string, EditorState>();
  private file: string | undefined;

  constructor(host: HTMLElement, private readonly changed: (file: string, text: string) => void, private readonly submitted: () => void) {
    const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
    this.view = new EditorView({ root, parent: root });
    this.view.dom.style.height = "100%";
  }

  private extensions(file: string): Extension {
    return [
      lineNumbers(), highlightActiveLine(), highlightActiveLineGutter(), history(), drawSelection(), indentOnInput(),
      bracketMatching(), closeBrackets(), highlightSelectionMatches(), indentUnit.of("  "), pointed,
      EditorState.tabSize.of(2), EditorView.lineWrapping,
      keymap.of([{ key: "Mod-Enter", run: this.submit }, ...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, ...lintKeymap, indentWithTab]),
      EditorView.contentAttributes.of({ "aria-label": `Text of ${file}`, spellcheck: "false", tabindex: "0" }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged && this.file === file) this.changed(file, update.state.doc.toString());
      }),
      languageOf(file),
      appearance,
    ];
  }

  private submit = () => {
    this.submitted();
    return true;
  };

  /** Shows a file; its text is taken only if the file was not open before. */
  open(file: string, text: string) {
    if (this.file === file) return;
    this.keep();
    this.file = file;
    const known = this.states.get(file);
    this.view.setState(known ?? EditorState.create({ doc: text, extensions: this.extensions(file) }));
  }

  /** Closes all files, so that they are opened with the texts that they have then. */
  forget() {
    this.states.clear();
    this.file = undefined;
  }

  private keep() {
    if (this.file !== undefined) this.states.set(this.file, this.view.state);
  }

  /** Puts another text in the place of a file's, as a change that can be undone. */
  replace(text: string) {
    this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text } });
  }

  diagnose(diagnostics: Diagnostic[]) {
    const state = this.view.state;
    const held = diagnostics.map((one) => ({ ...one, from: within(state, one.from), to: within(state, one.to) }));
    this.view.dispatch(setDiagnostics(state, held));
  }

  goTo(place: Place) {
    const anchor = within(this.view.state, place.from);
    const head = within(this.view.state, place.to);
    this.view.dispatch({ selection: { anchor, head }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
    this.view.focus();
  }

  /** Marks lines, and brings the first into sight. */
  point(places: Place[]) {
    const first = places[0];
    const effects: StateEffect<unknown>[] = [point.of(places)];
    if (first !== undefined) effects.push(EditorView.scrollIntoView(within(this.view.state, first.from), { y: "nearest", yMargin: 60 }));
    this.view.dispatch({ effects });
  }

  undo = () => undo(this.view);
  redo = () => redo(this.view);
  focus = () => this.view.focus();
  dispose = () => this.view.destroy();
}
