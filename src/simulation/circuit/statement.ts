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

/** A way from one block of a graph to another: the condition under which it is taken, and what slots are set to on it. */
export interface GraphEdge {
  /** Null for the way that is taken where no condition before holds. */
  readonly condition: Expression | null;
  /** The place of the block in the graph, or -1 for what follows the graph. */
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

/**
 * A statement of a program: plain data, with other statements in it where it is a block, a branch or a loop. What has
 * operands known before the run is a range of the circuit's operations. A `label` is what a drawing writes for it.
 */
export type Statement = { readonly range?: SourceRange | undefined } & (
  | { readonly kind: "operations"; readonly start: number; readonly end: number }
  /** A call of a gate whose operands, parameters or modifiers are computed; `gate` is its place in the circuit's gates. */
  | {
      readonly kind: "gate";
      readonly gate: number;
      readonly name: string;
      readonly label: string;
      /** Its arguments as the program writes them. */
      readonly args: readonly string[];
      readonly modifiers: readonly CallModifier[];
      readonly params: readonly Expression[];
      readonly qubits: readonly OperandIndices[];
    }
  | {
      readonly kind: "measure";
      readonly label: string;
      readonly qubits: OperandIndices;
      readonly bits: OperandIndices | null;
    }
  | { readonly kind: "reset"; readonly label: string; readonly qubits: OperandIndices }
  | { readonly kind: "assign"; readonly label?: string; readonly slot: number; readonly value: Expression }
  /** Computes operands and keeps them in a slot. */
  | { readonly kind: "resolve"; readonly slot: number; readonly indices: OperandIndices }
  /** Writes values to as many slots. */
  | {
      readonly kind: "fill";
      readonly label?: string;
      readonly slots: OperandIndices;
      readonly values: ValueList;
    }
  /** Writes the bits of a whole number to classical bits. */
  | {
      readonly kind: "store";
      readonly label?: string;
      readonly bits: OperandIndices;
      readonly value: Expression;
    }
  /** Time that passes for qubits, for all of them where they are null. */
  | {
      readonly kind: "delay";
      readonly label: string;
      readonly duration: Expression;
      readonly at: number;
      readonly qubits: readonly OperandIndices[] | null;
    }
  /** A box; its duration is null where it has none. */
  | {
      readonly kind: "box";
      readonly label: string;
      readonly duration: Expression | null;
      readonly body: readonly Statement[];
    }
  /** A duration that must not be negative. */
  | { readonly kind: "duration"; readonly duration: Expression; readonly at: number }
  /** Statements whose slots and bits are in use in them alone. */
  | { readonly kind: "scope"; readonly memory: MemoryRange; readonly body: readonly Statement[] }
  /** The body of a subroutine in the place of its call; `frame` is what a call of itself keeps, where there is one. */
  | {
      readonly kind: "subroutine";
      readonly label: string;
      readonly body: readonly Statement[];
      readonly frame: Frame | null;
    }
  /** The call of a subroutine from within its body; `set` assigns its parameters. */
  | {
      readonly kind: "recurse";
      readonly name: string;
      /** The stack of the frame that the call belongs to. */
      readonly stack: number;
      readonly set: readonly Statement[];
    }
  | {
      readonly kind: "if";
      readonly label: string;
      readonly condition: Expression;
      readonly body: readonly Statement[];
      readonly otherwise: readonly Statement[] | null;
    }
  /** A loop; `before` is what its condition needs each time. */
  | {
      readonly kind: "while";
      readonly label: string;
      readonly before: readonly Statement[];
      readonly condition: Expression;
      readonly body: readonly Statement[];
    }
  /** A loop over values, each of which is in `slot` while the body runs; the two slots after it belong to the loop. */
  | {
      readonly kind: "for";
      readonly label: string;
      readonly slot: number;
      readonly values: LoopValues;
      readonly body: readonly Statement[];
    }
  /** Runs the first case that has the value, which `slot` holds meanwhile. */
  | {
      readonly kind: "switch";
      readonly slot: number;
      readonly value: Expression;
      readonly cases: readonly SwitchCase[];
    }
  /** Blocks that jump to each other; the first is where it begins. A block without edges ends the program. */
  | { readonly kind: "graph"; readonly blocks: readonly GraphBlock[] }
  /** Leaves the innermost loop or subroutine, continues with the next round of a loop, or ends the program. */
  | { readonly kind: "break" | "continue" | "return" | "end" }
);

/** Statements in their order. */
export type StatementList = readonly Statement[];

/** Frame of a recursive call: its slots and bits, on a stack in a slot. */
export interface Frame {
  readonly stack: number;
  readonly memory: MemoryRange;
}

/** Returns the sentence that refuses a negative duration. */
export const negativeDuration = (nanoseconds: number): string =>
  `The duration ${nanoseconds} ns is negative; time passes forward only.`;

/** Returns the lists of statements within a statement. */
export function bodiesOf(statement: Statement): readonly (readonly Statement[])[] {
  switch (statement.kind) {
    case "scope":
    case "subroutine":
    case "box":
    case "for":
      return [statement.body];
    case "recurse":
      return [statement.set];
    case "if":
      return statement.otherwise ? [statement.body, statement.otherwise] : [statement.body];
    case "while":
      return [statement.before, statement.body];
    case "switch":
      return statement.cases.map(({ body }) => body);
    case "graph":
      return statement.blocks.map(({ body }) => body);
    default:
      return [];
  }
}

/** Returns a statement with other lists of statements in it, in the order of {@link bodiesOf}. */
export function withBodies(statement: Statement, bodies: readonly (readonly Statement[])[]): Statement {
  const [first = [], second = null] = bodies;
  switch (statement.kind) {
    case "scope":
    case "subroutine":
    case "box":
    case "for":
      return { ...statement, body: first };
    case "recurse":
      return { ...statement, set: first };
    case "if":
      return { ...statement, body: first, otherwise: second };
    case "while":
      return { ...statement, before: first, body: second ?? [] };
    case "switch":
      return { ...statement, cases: statement.cases.map((one, i) => ({ ...one, body: bodies[i]! })) };
    case "graph":
      return { ...statement, blocks: statement.blocks.map((one, i) => ({ ...one, body: bodies[i]! })) };
    default:
      return statement;
  }
}

/** Whether statements, and all within them, pass a test. */
export const everyStatement = (statements: StatementList, test: (statement: Statement) => boolean): boolean =>
  statements.every(
    statement => test(statement) && bodiesOf(statement).every(body => everyStatement(body, test)),
  );
