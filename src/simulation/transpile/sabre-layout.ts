import { Layout } from "./layout.ts";
import type { Operation } from "./operation.ts";
import { shuffled } from "./random.ts";
import { routingProblem } from "./routing-problem.ts";
import { route } from "./sabre.ts";
import type { Target } from "./target.ts";

/** A layout that a trial has found, and the native gates that swaps add from it on. */
export interface LayoutTrial {
  readonly layout: Layout;
  readonly cost: number;
  /** Whether commuting gates kept their order. */
  readonly keepsOrder: boolean;
}

/** Options for a search for layouts. */
interface LayoutSearch {
  readonly trials: number;
  /** Swaps that may be judged before no further trial begins. */
  readonly maxJudged: number;
  /** Number of passes of each trial, back and forth. */
  readonly rounds: number;
  readonly random: () => number;
}

/**
 * Returns layouts for a program, the cheapest first: each trial begins with some layout and routes the program forwards and
 * backwards, so the layout at the end of one way is the beginning of the other.
 */
export function sabreLayouts(
  operations: readonly Operation[],
  numUsed: number,
  target: Target,
  { trials, maxJudged, rounds, random }: LayoutSearch,
): LayoutTrial[] {
  const flat = flattened(operations);
  const ways = [false, true].map(keepsOrder => ({
    keepsOrder,
    forwards: routingProblem(flat, target.numQubits, keepsOrder),
    backwards: routingProblem(flat.toReversed(), target.numQubits, keepsOrder),
  }));
  const found: LayoutTrial[] = [];
  let judged = 0;
  for (let trial = 0; trial < trials && (trial < 2 || judged < maxJudged); trial++) {
    const { keepsOrder, forwards, backwards } = ways[trial % 2]!;
    const layout =
      trial % 4 < 2 ? regionLayout(numUsed, target, random) : new Layout(shuffled(target.numQubits, random));
    let best: LayoutTrial | null = null;
    for (let round = 0; round <= rounds; round++) {
      const start = layout.copy();
      const outcome = route(forwards, layout, target, random);
      const { cost } = outcome;
      judged += outcome.judged;
      if (!best || cost < best.cost) best = { layout: start, cost, keepsOrder };
      if (round < rounds) judged += route(backwards, layout, target, random).judged;
    }
    found.push(best!);
  }
  return found.sort((a, b) => a.cost - b.cost);
}

/** Returns the operations that decide about a layout, those within statements in their place. */
function flattened(operations: readonly Operation[]): Operation[] {
  return operations.flatMap(operation => {
    if (operation.kind === "statement") return operation.bodies.flatMap(flattened);
    return operation.kind === "one-qubit" || operation.kind === "two-qubit" ? [operation] : [];
  });
}

/** Returns a layout on a connected region around a random qubit. */
function regionLayout(numUsed: number, target: Target, random: () => number): Layout {
  const start = Math.floor(random() * target.numQubits);
  const seen = new Set([start]);
  for (const at of seen) {
    if (seen.size >= numUsed) break;
    for (const next of target.neighbours[at]!) seen.add(next);
  }
  for (let i = 0; seen.size < numUsed; i++) seen.add(i);
  const region = [...seen].slice(0, numUsed);
  return Layout.starting(
    shuffled(numUsed, random).map(i => region[i]!),
    target.numQubits,
  );
}
