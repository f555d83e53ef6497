// The model: its text on one side, its components drawn on the other.
import { useEffect, useRef, useState } from "preact/hooks";
import type { Diagnostic } from "../api/types";
import { goTo, openFile, theEditor } from "../editor/shared";
import { placesOf } from "../editor/places";
import { change, now, useStore } from "../state/store";
import { saveText, shortName } from "../ui/files";
import { Tabs } from "../ui/tabs";
import { count, Ticked } from "../ui/words";
import { ComponentPane } from "./component";

export function ModelView() {
  const [side, setSide] = useState<"text" | "drawing">("text");
  return (
    <div class="model" data-side={side}>
      <div class="side-tabs">
        <Tabs label="Text or drawing" chosen={side} choose={setSide} tabs={[{ key: "text", label: "Text" }, { key: "drawing", label: "Drawing" }]} />
      </div>
      <section class="text-pane card" aria-label="Text">
        <FileBar />
        <EditorBox />
        <Diagnostics />
      </section>
      <ComponentPane />
    </div>
  );
}

function FileBar() {
  const session = useStore((state) => state.session)!;
  const file = useStore((state) => state.file);
  const texts = useStore((state) => state.texts);
  const original = session.files.find((one) => one.name === file)?.text ?? null;
  const changed = original !== null && texts[file] !== original;
  const tabs = session.files.map((one) => ({ key: one.name, label: shortName(one.name) + (texts[one.name] !== one.text && one.text !== null ? " •" : ""), title: one.name }));
  return (
    <div class="bar">
      <Tabs label="Files" class="file-tabs" tabs={tabs} chosen={file} choose={(name) => change({ file: name })} />
      <div class="bar-tools">
        <button type="button" class="quiet" onClick={() => theEditor().editor.undo()} title="Undo (Ctrl z)">Undo</button>
        <button type="button" class="quiet" onClick={() => theEditor().editor.redo()} title="Redo (Ctrl y)">Redo</button>
        <button type="button" class="quiet" disabled={!changed} onClick={() => reset(original!)} title="Back to the file as it was opened; Undo takes it back">Reset</button>
        <button type="button" class="quiet" onClick={() => save(file)} title="Save the text as a file">Save a copy</button>
      </div>
    </div>
  );
}

function reset(text: string) {
  const { editor } = theEditor();
  editor.replace(text);
  change({ notice: { text: "The text is as it was opened.", undo: () => editor.undo() } });
}

function save(file: string) {
  saveText(shortName(file), now().texts[file] ?? "", "text/plain");
}

function EditorBox() {
  const box = useRef<HTMLDivElement>(null);
  const file = useStore((state) => state.file);
  const session = useStore((state) => state.session)!;
  const standing = useStore((state) => state.standing);
  const known = session.files.find((one) => one.name === file);
  useEffect(() => {
    const { host } = theEditor();
    box.current!.append(host);
    return () => host.remove();
  }, []);
  useEffect(() => {
    openFile(file);
    theEditor().editor.point(placesOf(now(), file));
  }, [file, standing]);
  const large = known !== undefined && known.text === null;
  return (
    <>
      {large && <p class="note">This file has {count(known.bytes ?? 0, "byte")}: too large to be edited here. It is used as it is.</p>}
      <div class="editor" ref={box} hidden={large} />
    </>
  );
}

function Diagnostics() {
  const reading = useStore((state) => state.reading);
  const busy = useStore((state) => state.busyReading);
  const list = reading?.diagnostics ?? [];
  const errors = list.filter((one) => one.severity === "error").length;
  const outline = useStore((state) => state.outline);
  const well = outline ? `${count(outline.components.length, "component")}, ${count(outline.properties.length, "property", "properties")}` : "";
  return (
    <div class="diagnostics">
      <p class="diagnostics-head" role="status">
        {busy || reading === undefined ? "reading…" : errors > 0 ? <strong class="bad">✕ {count(errors, "error")}</strong> : <span class="good">✓ reads well: {well}</span>}
        {!busy && errors === 0 && list.length > 0 && <span> · {count(list.length, "remark")}</span>}
      </p>
      {list.length > 0 && <ul>{list.map((one, index) => <DiagnosticItem key={index} one={one} />)}</ul>}
    </div>
  );
}

function DiagnosticItem({ one }: { one: Diagnostic }) {
  const cause = one.labels[0];
  const go = () => {
    if (cause === undefined) return;
    change({ file: cause.file });
    openFile(cause.file);
    goTo(cause);
  };
  return (
    <li class={`diagnostic ${one.severity}`}>
      <button type="button" onClick={go} disabled={cause === undefined}>
        <span class="severity">{one.severity}</span>
        <span class="message"><Ticked text={one.message} /></span>
        {cause && <span class="place">{shortName(cause.file)}:{cause.line}:{cause.column}</span>}
        {cause?.message && <span class="detail"><Ticked text={cause.message} /></span>}
        {one.help && <span class="help-line">Help: <Ticked text={one.help} /></span>}
      </button>
    </li>
  );
}
