// The one editor of the page. It outlives the view that shows it, with its histories and the place of the cursor.
import type { Diagnostic as Shown } from "@codemirror/lint";
import type { Diagnostic } from "../api/types";
import { checkAll } from "../state/checking";
import { edit, onReset } from "../state/reading";
import { listen, now } from "../state/store";
import { Editor, type Place } from "./editor";

let made: { host: HTMLElement; editor: Editor } | undefined;

export function theEditor() {
  made ??= make();
  return made;
}

function make() {
  const host = document.createElement("div");
  host.className = "editor-host";
  const editor = new Editor(host, edit, () => void checkAll());
  onReset((texts) => {
    editor.forget();
    Object.entries(texts).forEach(([file, text]) => edit(file, text));
    openFile(now().file);
  });
  let seen = now().reading;
  listen(() => {
    if (now().reading === seen) return;
    seen = now().reading;
    underline(editor);
  });
  return { host, editor };
}

export function openFile(file: string) {
  const { editor } = theEditor();
  editor.open(file, now().texts[file] ?? "");
  underline(editor);
}

function underline(editor: Editor) {
  const { reading, file } = now();
  editor.diagnose((reading?.diagnostics ?? []).flatMap((one) => shown(one, file)));
}

function shown(one: Diagnostic, file: string): Shown[] {
  return one.labels
    .filter((label) => label.file === file)
    .map((label, index) => ({
      from: label.from,
      to: Math.max(label.to, label.from + 1),
      severity: one.severity === "note" || index > 0 ? "info" : one.severity,
      message: [one.message, label.message, one.help && `Help: ${one.help}`].filter(Boolean).join("\n"),
    }));
}

export function goTo(place: Place) {
  theEditor().editor.goTo(place);
}
