import type { TraceBlock, TraceStep } from "./trace-block.ts";
import { leadsBack } from "./trace-order.ts";

/** A part of a traced program: steps, or a choice by a measured bit between other parts. */
export type TracePart =
  | { readonly kind: "steps"; readonly steps: readonly TraceStep[] }
  | {
      readonly kind: "choice";
      readonly bit: number;
      readonly one: readonly TracePart[];
      readonly zero: readonly TracePart[];
    };

const MAX_PARTS = 100_000;

/**
 * Returns traced blocks as choices within each other. What several ways lead to without being where they all meet is
 * repeated in each of them. Returns null where a choice leads back, or where the parts are too many.
 */
export function nestingOf(blocks: readonly TraceBlock[]): TracePart[] | null {
  if (leadsBack(blocks)) return null;
  const joins = joinsOf(blocks);
  let count = 0;
  const between = (first: number, stop: number): TracePart[] => {
    const parts: TracePart[] = [];
    for (let i = first; i !== stop && count <= MAX_PARTS; i = joins[i]!) {
      const { steps, next } = blocks[i]!;
      count++;
      if (steps.length > 0) parts.push({ kind: "steps", steps });
      if (next.kind !== "fork") continue;
      const [one, zero] = [between(next.one, joins[i]!), between(next.zero, joins[i]!)];
      parts.push({ kind: "choice", bit: next.bit, one, zero });
    }
    return parts;
  };
  const parts = between(0, blocks.length);
  return count > MAX_PARTS ? null : parts;
}

/** Returns for each block the next one that every way from it leads through; the number of blocks stands for the end. */
function joinsOf(blocks: readonly TraceBlock[]): number[] {
  const joins: number[] = [];
  for (let i = blocks.length - 1; i >= 0; i--) {
    const { next } = blocks[i]!;
    if (next.kind === "jump") joins[i] = next.to;
    else if (next.kind === "end") joins[i] = blocks.length;
    else {
      let [a, b] = [next.one, next.zero];
      while (a !== b)
        if (a < b) a = joins[a]!;
        else b = joins[b]!;
      joins[i] = a;
    }
  }
  return joins;
}
