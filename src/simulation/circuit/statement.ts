import type { Expression, OperandIndices, ValueList } from "./expression.ts";

/** Place in the source: the offsets of the first character and of the end. */
export type SourceRange = readonly [start: number, end: number];

/** Modifier of a called gate, with a computed exponent. */
export type CallModifier =
  | { readonly kind: "inv" }
  | { readonly kind: "pow"; readonly exponent: Expression }
  | { readonly kind: "ctrl" | "negctrl"; readonly count: number };

/** Slots and bits next to each other, ends not included. */
export interface MemoryRange {
  readonly slots: readonly [start: number, end: number];
  readonly bits: readonly [start: number, end: number];
}

/** Values of a `for` loop: integers with both ends included, or a list. */
export type LoopValues =
  | {
      readonly kind: "range";
      readonly start: Expression;
      readonly step: Expression | null;
      readonly stop: Expression;
      readonly at: number;
    }
  | { readonly kind: "list"; readonly list: ValueList };

/** One case of a switch; the values of the default are null. */
export interface SwitchCase {
  readonly values: readonly bigint[] | null;
  readonly label: string;
  readonly body: readonly Statement[];
}

/** An edge between blocks of a graph: its condition, and the values that slots get on it. */
export interface GraphEdge {
  /** Null for the edge that is taken if no earlier condition holds. */
  readonly condition: Expression | null;
  /** Index of the next block in the graph, or -1 for the end of the graph. */
  readonly to: number;
  readonly moves: readonly { readonly slot: number; readonly value: Expression }[];
  readonly at: number;
}

/** A block of a control-flow graph; `locals` are slots that are in use in it alone. */
export interface GraphBlock {
  readonly body: readonly Statement[];
  readonly edges: readonly GraphEdge[];
  readonly locals: readonly number[];
}

interface StatementTable {
  operations: { start: number; end: number };
  /**
   * A call of a gate whose operands, parameters or modifiers are computed; `gate` is its place in the circuit's gates,
   * and `args` are its arguments as the program writes them.
   */
  gate: {
    gate: number;
    name: string;
    label: string;
    args: readonly string[];
    modifiers: readonly CallModifier[];
    params: readonly Expression[];
    qubits: readonly OperandIndices[];
  };
  measure: { label: string; qubits: OperandIndices; bits: OperandIndices | null };
  reset: { label: string; qubits: OperandIndices };
  assign: { label?: string; slot: number; value: Expression };
  /** Computes operands and keeps them in a slot. */
  resolve: { slot: number; indices: OperandIndices };
  /** Writes values to as many slots. */
  fill: { label?: string; slots: OperandIndices; values: ValueList };
  store: { label?: string; bits: OperandIndices; value: Expression };
  /** Time that passes for qubits, for all of them if they are null. */
  delay: { label: string; duration: Expression; at: number; qubits: readonly OperandIndices[] | null };
  box: { label: string; duration: Expression | null; body: StatementList };
  /** A duration that must not be negative. */
  duration: { duration: Expression; at: number };
  /** Statements with local slots and bits. */
  scope: { memory: MemoryRange; body: StatementList };
  /** The body of a subroutine in the place of its call; `frame` is what a call of itself keeps, if there is one. */
  subroutine: { label: string; body: StatementList; frame: Frame | null };
  /** The call of a subroutine within its body: `stack` is that of its frame, and `set` assigns its parameters. */
  recurse: { name: string; stack: number; set: StatementList };
  if: { label: string; condition: Expression; body: StatementList; otherwise: StatementList | null };
  /** A loop; `before` is what its condition needs each time. */
  while: { label: string; before: StatementList; condition: Expression; body: StatementList };
  /** A loop over values, each of which is in `slot` while the body runs; the two slots after it belong to the loop. */
  for: { label: string; slot: number; values: LoopValues; body: StatementList };
  /** Runs the first case that has the value, which `slot` holds meanwhile. */
  switch: { slot: number; value: Expression; cases: readonly SwitchCase[] };
  /** Blocks that jump to each other; the first is where it begins. A block without edges ends the program. */
  graph: { blocks: readonly GraphBlock[] };
  /** Leaves the innermost loop or subroutine, continues with the next round of a loop, or ends the program. */
  break: Record<never, never>;
  continue: Record<never, never>;
  return: Record<never, never>;
  end: Record<never, never>;
}

/**
 * A statement of a program: plain data, with other statements in it if it is a block, a branch or a loop. Operations with
 * operands known before the run are a range of the circuit's operations. A `label` is what a drawing writes for it.
 */
export type Statement = {
  [K in keyof StatementTable]: {
    readonly kind: K;
    readonly range?: SourceRange | undefined;
  } & Readonly<StatementTable[K]>;
}[keyof StatementTable];

export type StatementList = readonly Statement[];

/** Frame of a recursive call: its slots and bits, on a stack in a slot. */
export interface Frame {
  readonly stack: number;
  readonly memory: MemoryRange;
}

export const negativeDuration = (nanoseconds: number): string =>
  `The duration ${nanoseconds} ns is negative; time passes forward only.`;

export function bodiesOf(statement: Statement): readonly StatementList[] {
  if (statement.kind === "switch") return statement.cases.map(({ body }) => body);
  if (statement.kind === "graph") return statement.blocks.map(({ body }) => body);
  const keys = BODIES[statement.kind];
  if (!keys) return NO_BODIES;
  const fields = statement as unknown as Readonly<Record<string, StatementList | null>>;
  return keys.map(key => fields[key] ?? null).filter(body => body !== null);
}

const NO_BODIES: readonly StatementList[] = [];
/** The fields of a statement that are lists of statements. */
const BODIES: { readonly [K in Statement["kind"]]?: readonly string[] } = {
  ...{ scope: ["body"], subroutine: ["body"], box: ["body"], for: ["body"], recurse: ["set"] },
  ...{ if: ["body", "otherwise"], while: ["before", "body"] },
};

/** Returns a statement with other lists of statements in it, in the order of {@link bodiesOf}. */
export function withBodies(statement: Statement, bodies: readonly StatementList[]): Statement {
  if (statement.kind === "switch")
    return { ...statement, cases: statement.cases.map((one, i) => ({ ...one, body: bodies[i]! })) };
  if (statement.kind === "graph")
    return { ...statement, blocks: statement.blocks.map((one, i) => ({ ...one, body: bodies[i]! })) };
  const keys = BODIES[statement.kind];
  return keys
    ? { ...statement, ...Object.fromEntries(keys.map((key, i) => [key, bodies[i] ?? null])) }
    : statement;
}

/** Whether statements, and all within them, pass a test. */
export const everyStatement = (statements: StatementList, test: (statement: Statement) => boolean): boolean =>
  statements.every(
    statement => test(statement) && bodiesOf(statement).every(body => everyStatement(body, test)),
  );

/** Returns the number of rounds of a loop; infinite if it is computed in the run. */
export function roundsOf(values: LoopValues): number {
  if (values.kind === "list")
    return values.list.kind === "constants" || values.list.kind === "values"
      ? values.list.values.length
      : Number.POSITIVE_INFINITY;
  const { start, step, stop } = values;
  if (start.value === undefined || stop.value === undefined || (step && step.value === undefined))
    return Number.POSITIVE_INFINITY;
  const rounds = Math.floor((Number(stop.value) - Number(start.value)) / Number(step?.value ?? 1)) + 1;
  return Number.isFinite(rounds) ? Math.max(0, rounds) : Number.POSITIVE_INFINITY;
}
