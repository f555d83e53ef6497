// Tabs as the guide on ARIA asks for them: one stop for the Tab key, arrows between the tabs.
import type { ComponentChildren } from "preact";

export interface Tab<T> {
  key: T;
  label: ComponentChildren;
  title?: string;
}

interface TabsProps<T> {
  label: string;
  tabs: Tab<T>[];
  chosen: T;
  choose: (key: T) => void;
  class?: string;
}

const STEPS: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1 };

export function Tabs<T extends string | null>(props: TabsProps<T>) {
  const onKey = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (step === undefined) return;
    const at = props.tabs.findIndex((tab) => tab.key === props.chosen);
    const next = (at + step + props.tabs.length) % props.tabs.length;
    props.choose(props.tabs[next]!.key);
    const list = (event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>("[role=tab]");
    list[next]?.focus();
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class={`tabs ${props.class ?? ""}`} role="tablist" aria-label={props.label} onKeyDown={onKey}>
      {props.tabs.map((tab) => {
        const here = tab.key === props.chosen;
        return (
          <button key={tab.key} type="button" role="tab" aria-selected={here} tabIndex={here ? 0 : -1} title={tab.title} onClick={() => props.choose(tab.key)}>
            {tab.label}
          </button>
        );
      })}
    </div>
  );
}
