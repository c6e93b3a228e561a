import { type Operation, visitAll } from "./operation.ts";
import type { Interactions } from "./perfect-layout.ts";
import { routingProblem } from "./routing-problem.ts";
import { route } from "./sabre.ts";
import type { Basis, Target } from "./target.ts";
import { numNativeOf } from "./two-qubit-synthesis.ts";
import { weylOf } from "./weyl.ts";

/** Returns a generator of numbers from 0 up to 1, determined by a seed. */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Returns the numbers up to a count in a random order. */
export function shuffled(count: number, random: () => number): number[] {
  const list = Array.from({ length: count }, (_, i) => i);
  for (let i = count - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [list[i], list[j]] = [list[j]!, list[i]!];
  }
  return list;
}

/** Physical qubit of each program qubit, and the inverse. Unused physical qubits have numbers too. */
export class Layout {
  readonly toPhysical: Int32Array;
  readonly toVirtual: Int32Array;

  /** Makes a layout of the physical qubit of each virtual one; all of the device's have to be in it. */
  constructor(toPhysical: ArrayLike<number>) {
    this.toPhysical = Int32Array.from(toPhysical);
    this.toVirtual = new Int32Array(toPhysical.length);
    this.toPhysical.forEach((physical, virtual) => {
      this.toVirtual[physical] = virtual;
    });
  }

  /** Returns a layout that begins with the given qubits; the unused ones follow in their order. */
  static starting(physical: readonly number[], numQubits: number): Layout {
    const used = new Set(physical);
    const rest = Array.from({ length: numQubits }, (_, i) => i).filter(i => !used.has(i));
    return new Layout([...physical, ...rest]);
  }

  copy(): Layout {
    return new Layout(this.toPhysical);
  }

  /** Exchanges what is on two physical qubits. */
  swap(a: number, b: number): void {
    const [p, q] = [this.toVirtual[a]!, this.toVirtual[b]!];
    this.toVirtual[a] = q;
    this.toVirtual[b] = p;
    this.toPhysical[p] = b;
    this.toPhysical[q] = a;
  }
}

/** Counts what operations do to each qubit, and which pairs they act on; the body of a loop counts once. */
export function interactionsOf(
  operations: readonly Operation[],
  numQubits: number,
  { twoQubit }: Basis,
): Interactions {
  const partners = Array.from({ length: numQubits }, () => new Map<number, number>());
  const pulses = new Array<number>(numQubits).fill(0);
  const measurements = new Array<number>(numQubits).fill(0);
  const join = (a: number, b: number, count: number) => {
    partners[a]!.set(b, (partners[a]!.get(b) ?? 0) + count);
    partners[b]!.set(a, (partners[b]!.get(a) ?? 0) + count);
  };
  visitAll(operations, operation => {
    const { kind, qubits } = operation;
    if (kind === "two-qubit")
      join(qubits[0]!, qubits[1]!, numNativeOf(weylOf(operation.matrix).coordinates, twoQubit));
    else if (kind === "native" && qubits.length === 2) join(qubits[0]!, qubits[1]!, 1);
    else if (kind === "one-qubit" || kind === "native") pulses[qubits[0]!]!++;
    else if (kind === "measure") measurements[qubits[0]!]!++;
  });
  return { numQubits, partners, pulses, measurements };
}

/** A layout that a trial has found, and the native gates that swaps add from it on. */
export interface LayoutTrial {
  readonly layout: Layout;
  readonly cost: number;
  /** Whether commuting gates kept their order. */
  readonly keepsOrder: boolean;
}

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
