// The formula, with the part that is looked at marked in it.
import type { GraphExplanation } from "../api/types";

interface Mark {
  from: number;
  to: number;
}

interface Placed {
  from: number | null;
  to: number | null;
  within?: string | null;
}

/** Where a subformula stands in the formula; if it is only made while unfolding, where its nearest relative does. */
export function markOf(find: (name: string) => Placed | undefined, subformula: string): Mark | undefined {
  const seen = new Set<string>();
  let name: string | null | undefined = subformula;
  while (name && !seen.has(name)) {
    seen.add(name);
    const part: Placed | undefined = find(name);
    if (part?.from != null && part.to != null) return { from: part.from, to: part.to };
    name = part?.within;
  }
  return undefined;
}

export function Formula({ text, mark }: { text: string; mark: Mark | undefined }) {
  if (mark === undefined) return <code class="formula">{text}</code>;
  return (
    <code class="formula">
      {text.slice(0, mark.from)}
      <mark>{text.slice(mark.from, mark.to)}</mark>
      {text.slice(mark.to)}
    </code>
  );
}

export function EvidenceFormula({ evidence, subformula }: { evidence: GraphExplanation; subformula: string | undefined }) {
  const find = (name: string) => evidence.subformulas.find((part) => part.subformula === name);
  return <Formula text={evidence.formula} mark={subformula === undefined ? undefined : markOf(find, subformula)} />;
}
