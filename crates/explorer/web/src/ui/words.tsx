// The small words and signs that every view uses. A value is a sign, a word and a colour, never a colour alone.
import type { ComponentChildren } from "preact";
import type { Refusal } from "../api/client";
import type { Value } from "../api/types";

export const LETTER: Record<Value, string> = { true: "T", false: "F", unknown: "?" };
const SIGN: Record<Value, string> = { true: "✓", false: "✕", unknown: "?" };
const SAYS: Record<Value, string> = { true: "holds", false: "fails", unknown: "unknown" };

export function Verdict({ value, stale }: { value: Value; stale?: boolean }) {
  return (
    <span class={`verdict ${value}`} data-stale={stale ? "yes" : undefined}>
      <span class="sign" aria-hidden="true">{SIGN[value]}</span>
      {SAYS[value]}
    </span>
  );
}

export function Letter({ value }: { value: Value }) {
  return <span class={`letter ${value}`} title={value}>{LETTER[value]}</span>;
}

export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}

/** Of a property that no method can check there is nothing to compute. */
export function Unsupported({ why }: { why: string }) {
  return <Empty title="This property cannot be checked"><p>{sentence(why)}</p></Empty>;
}

export function Trouble({ message, help }: { message: string; help?: string | null | undefined }) {
  return (
    <div class="trouble" role="alert">
      <p><strong>{message}</strong></p>
      {help && <p>{help}</p>}
    </div>
  );
}

/** What the server says instead of an answer. That something is too large is no mistake of anybody. */
export function Refused({ error }: { error: Refusal }) {
  if (error.kind === "limit") return <Empty title={sentence(error.message)}>{error.help && <p>{sentence(error.help)}</p>}</Empty>;
  return <Trouble message={error.message} help={error.help} />;
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? "" : ".");
}

export function Waiting({ children }: { children: ComponentChildren }) {
  return <p class="waiting" role="status"><span class="spinner" aria-hidden="true" />{children}</p>;
}

export function count(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}

export function bytes(number: number): string {
  const units = ["B", "kB", "MB", "GB"];
  let value = number;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${value >= 100 || unit === 0 ? Math.round(value) : value.toPrecision(2)} ${units[unit]}`;
}

export function duration(seconds: number): string {
  if (seconds < 0.001) return `${Math.max(1, Math.round(seconds * 1e6))} µs`;
  if (seconds < 0.01) return `${(seconds * 1000).toFixed(1)} ms`;
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`;
  return `${seconds.toFixed(seconds < 10 ? 2 : 1)} s`;
}

/** Words between backticks are code. */
export function Ticked({ text }: { text: string }) {
  return <>{text.split("`").map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}</>;
}
