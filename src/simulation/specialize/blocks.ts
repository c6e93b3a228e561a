import type { CircuitParts } from "../circuit/circuit.ts";
import type { Expression } from "../circuit/expression.ts";
import type { Gate } from "../circuit/gate.ts";
import type { Value } from "../circuit/memory.ts";
import { operationAt, type SingleOperation } from "../circuit/operations.ts";
import type { GraphEdge, SourceRange, Statement } from "../circuit/statement.ts";
import { reversePostorder } from "../circuit/structure-graph.ts";
import { BIT } from "../circuit/values/types.ts";

/** An operation whose operands were computed, and its place in the source. */
type ComputedStep =
  | Exclude<SingleOperation, { kind: "barrier" }>
  | ({ readonly range: SourceRange } & (
      | { readonly kind: "set"; readonly bit: number; readonly value: number }
      /** A statement that is left to the run; `gate` is that of a call. */
      | { readonly kind: "dynamic"; readonly statement: Statement; readonly gate: Gate | null }
    ));

/** Step of a trace: a range of the program's operations, or one with computed operands. */
export type TraceStep =
  | { readonly kind: "operations"; readonly start: number; readonly end: number }
  | ComputedStep;

/** Steps without a choice between them, and what follows: the end, another block, or one of two by a measured bit. */
export interface TraceBlock {
  readonly steps: TraceStep[];
  next: /** `set` holds the bits that the program itself has set last, not a measurement, and their values; `slots` the variables. */
    | { readonly kind: "end"; readonly set: ReadonlyMap<number, number>; readonly slots: readonly Value[] }
    | { readonly kind: "jump"; readonly to: number }
    /** `condition` is what decides where variables are left to the run, instead of a bit. */
    | {
        readonly kind: "fork";
        readonly bit: number;
        readonly condition?: Expression;
        readonly one: number;
        readonly zero: number;
      };
}

/** Whether blocks in their order have loops among them. */
export const leadsBack = (blocks: readonly TraceBlock[]): boolean =>
  blocks.some((block, i) => targetsOf(block).some(to => to <= i));

/** Returns the blocks that may follow. */
export const targetsOf = ({ next }: Pick<TraceBlock, "next">): number[] =>
  next.kind === "jump" ? [next.to] : next.kind === "fork" ? [next.one, next.zero] : [];

/** Returns the ways from a block in a graph of as many blocks; -1 is the end of the program. */
export function edgesOf({ next }: Pick<TraceBlock, "next">): GraphEdge[] {
  const edge = (to: number, condition: Expression | null = null) => ({ condition, to, moves: [], at: 0 });
  if (next.kind === "end") return [edge(-1)];
  if (next.kind === "jump") return [edge(next.to)];
  const read: Expression = { kind: "bits", type: BIT, bits: [next.bit] };
  return [edge(next.one, next.condition ?? read), edge(next.zero)];
}

/**
 * Brings blocks into an order in which each comes before those that it leads to, loops aside: a block leads to an
 * earlier one, or to itself, where it closes a loop alone. Blocks without steps are left out, and a block that a
 * single jump leads to is appended to the one that jumps.
 */
export function ordered(blocks: readonly TraceBlock[]): TraceBlock[] {
  const straight = shortened(blocks);
  const first = passed(straight, 0);
  const follow = (block: number) => targetsOf(straight[block]!);
  const reached = reversePostorder(first, follow);
  /** How many ways lead to each block that is reached. */
  const entries = new Map<number, number>();
  for (const to of reached.flatMap(follow)) entries.set(to, (entries.get(to) ?? 0) + 1);
  const isMerged = (block: number) => entries.get(block) === 1 && block !== first;
  for (const block of reached) {
    const head = straight[block]!;
    const steps = [...head.steps];
    let { next } = head;
    while (next.kind === "jump" && isMerged(next.to)) {
      const following = straight[next.to]!;
      for (const step of following.steps) steps.push(step);
      next = following.next;
    }
    straight[block] = { steps, next };
  }
  const order = reversePostorder(first, follow);
  const place = new Map(order.map((block, i) => [block, i]));
  return order.map(block => redirected(straight[block]!, to => place.get(to)!));
}

/** Leads past blocks without steps; a choice between twice the same block is none. */
function shortened(blocks: readonly TraceBlock[]): TraceBlock[] {
  const short = blocks.map(block => redirected(block, to => passed(blocks, to)));
  const isChanged = short.some(({ next }, i) => next.kind !== blocks[i]!.next.kind);
  return isChanged ? shortened(short) : short;
}

/** Returns a block that leads to others in place of those that it leads to. */
function redirected({ steps, next }: TraceBlock, changed: (block: number) => number): TraceBlock {
  if (next.kind === "end") return { steps, next };
  const [one = 0, zero = one] = targetsOf({ next }).map(changed);
  const isChoice = next.kind === "fork" && one !== zero;
  return { steps, next: isChoice ? { ...next, one, zero } : { kind: "jump", to: one } };
}

/** Returns the first block with steps that a block leads to. */
function passed(blocks: readonly TraceBlock[], block: number): number {
  let to = block;
  for (let hops = 0; hops < blocks.length; hops++) {
    const { steps, next } = blocks[to]!;
    if (steps.length > 0 || next.kind !== "jump") return to;
    to = next.to;
  }
  return to;
}

export type SingleStep = ComputedStep | SingleOperation;

/** Calls back for each operation of a step, in their order. */
export function visitSteps(step: TraceStep, parts: CircuitParts, visit: (single: SingleStep) => void): void {
  if (step.kind !== "operations") visit(step);
  else for (let i = step.start; i < step.end; i++) visit(operationAt(parts, i));
}
