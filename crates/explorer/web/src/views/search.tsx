// Looking for a state by its name.
import { useState } from "preact/hooks";
import type { FoundStates } from "../api/types";
import { useAnswer } from "../state/use-answer";

interface SearchProps {
  component: string | null;
  texts: Record<string, string>;
  seek: (id: number) => void;
}

export function StateSearch({ component, texts, seek }: SearchProps) {
  const [query, setQuery] = useState("");
  const [at, setAt] = useState(0);
  const words = query.trim();
  const { data } = useAnswer<FoundStates>("/api/states", words === "" ? undefined : { texts, component, query: words, limit: 12 });
  const found = words === "" ? [] : (data?.states ?? []);
  const choose = (id: number) => {
    setQuery("");
    seek(id);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown") setAt(Math.min(at + 1, found.length - 1));
    else if (event.key === "ArrowUp") setAt(Math.max(at - 1, 0));
    else if (event.key === "Enter" && found[at] !== undefined) choose(found[at].id);
    else if (event.key === "Escape" && query !== "") setQuery("");
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const open = words !== "" && data !== undefined;
  return (
    <div class="search">
      <input type="text" role="combobox" placeholder="Find a state" aria-label="Find a state" aria-expanded={open} aria-controls="found-states"
        aria-activedescendant={open && found[at] ? `found-${found[at].id}` : undefined} aria-autocomplete="list"
        value={query} onInput={(event) => { setQuery(event.currentTarget.value); setAt(0); }} onKeyDown={onKey} />
      <ul id="found-states" role="listbox" aria-label="States" hidden={!open}>
        {found.map((one, index) => (
          <li key={one.id} id={`found-${one.id}`} role="option" aria-selected={index === at} onMouseDown={() => choose(one.id)}>
            <code>{one.name}</code>{one.initial && <span class="chip">initial</span>}
          </li>
        ))}
        {open && found.length === 0 && <li role="option" aria-selected={false} aria-disabled="true" class="soft">no such state</li>}
      </ul>
    </div>
  );
}
