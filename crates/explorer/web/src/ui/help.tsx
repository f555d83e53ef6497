// The overlay with all shortcuts.
import { useEffect, useRef } from "preact/hooks";
import { change, useStore } from "../state/store";
import { type Shortcut, SHORTCUTS } from "./keys";

function List({ title, shortcuts }: { title: string; shortcuts: Shortcut[] }) {
  return (
    <section>
      <h3>{title}</h3>
      <dl>
        {shortcuts.map((one) => (
          <div key={one.shown}>
            <dt><kbd>{one.shown}</kbd></dt>
            <dd>{one.says}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function EditorKeys() {
  const keys: [string, string][] = [
    ["Ctrl Enter", "check all"], ["Ctrl z", "undo"], ["Ctrl y", "redo"], ["Ctrl f", "find"], ["F8", "the next error"],
    ["Ctrl /", "comment"], ["Esc", "leave the editor"],
  ];
  return (
    <section>
      <h3>In the editor</h3>
      <dl>{keys.map(([shown, says]) => <div key={shown}><dt><kbd>{shown}</kbd></dt><dd>{says}</dd></div>)}</dl>
    </section>
  );
}

export function Help() {
  const open = useStore((state) => state.helpOpen);
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (open) dialog.current?.showModal();
    else dialog.current?.close();
  }, [open]);
  return (
    <dialog ref={dialog} class="help" aria-label="Keyboard shortcuts" onClose={() => change({ helpOpen: false })}>
      <header>
        <h2>Keyboard</h2>
        <button type="button" class="quiet" onClick={() => change({ helpOpen: false })}>Close</button>
      </header>
      <div class="help-lists">
        <List title="Everywhere" shortcuts={SHORTCUTS.filter((one) => one.where === undefined)} />
        <List title="Evidence" shortcuts={SHORTCUTS.filter((one) => one.where === "evidence")} />
        <List title="Diagnosis" shortcuts={SHORTCUTS.filter((one) => one.where === "diagnosis")} />
        <EditorKeys />
      </div>
    </dialog>
  );
}
