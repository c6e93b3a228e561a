interface Node {
  /** Offset of the first character. */
  readonly at: number;
  /** Offset after the last character. */
  readonly end: number;
}

export type NodeList = readonly StatementNode[];

/** A type as it is written; `width` is what is in its brackets. */
export interface TypeNode extends Node {
  readonly name: string;
  readonly width: ExpressionNode | null;
  readonly array?: ArrayShapeNode;
}

/** The element of an array, and its sizes or, only of a parameter, the number of its dimensions. */
interface ArrayShapeNode {
  readonly element: TypeNode;
  readonly sizes: readonly ExpressionNode[];
  readonly dimensions: ExpressionNode | null;
  /** Of a parameter: whether the subroutine may write to it. */
  readonly access: "readonly" | "mutable" | null;
}

/** A range `start:step:stop`, its ends included. */
export interface RangeNode extends Node {
  readonly kind: "range";
  readonly start: ExpressionNode | null;
  readonly step: ExpressionNode | null;
  readonly stop: ExpressionNode | null;
}

/** A set `{a, b, …}` of indices. */
export interface SetNode extends Node {
  readonly kind: "set";
  readonly items: readonly ExpressionNode[];
}

export type IndexNode = ExpressionNode | RangeNode | SetNode;

/** Units of time; `dt` is one sample of the device. */
export type DurationUnit = "dt" | "ns" | "us" | "ms" | "s";

/** A union of nodes: for each kind the fields of its row. */
type NodesOf<Table> = {
  [K in keyof Table]: Node & { readonly kind: K } & Readonly<Table[K]>;
}[keyof Table];

type Expressions = readonly ExpressionNode[];
type Nothing = Record<never, never>;

interface ExpressionTable {
  integer: { value: bigint };
  float: { value: number };
  boolean: { value: boolean };
  bits: { text: string };
  imaginary: { value: number };
  duration: { value: number; unit: DurationUnit };
  durationof: { body: NodeList };
  array: { items: Expressions };
  name: { name: string };
  hardware: { index: number };
  unary: { operator: string; operand: ExpressionNode };
  binary: { operator: string; left: ExpressionNode; right: ExpressionNode };
  index: { base: ExpressionNode; items: readonly IndexNode[] };
  call: { name: string; args: Expressions };
  cast: { type: TypeNode; operand: ExpressionNode };
  concatenation: { parts: Expressions };
  measure: { operand: ExpressionNode };
}

/** An expression; `depth` is the number of levels below and with it. */
export type ExpressionNode = NodesOf<ExpressionTable> & { readonly depth: number };

export interface ModifierNode extends Node {
  readonly kind: "inv" | "pow" | "ctrl" | "negctrl";
  readonly argument: ExpressionNode | null;
}

export interface NameNode extends Node {
  readonly name: string;
}

export interface ParameterNode extends NameNode {
  readonly type: TypeNode;
}

/** One case of a switch; no labels stand for the default. */
export interface CaseNode extends Node {
  readonly labels: readonly ExpressionNode[] | null;
  readonly body: NodeList;
}

interface StatementTable {
  include: { file: string };
  /** A pragma, an annotation or a part in a calibration language: kept, and without effect. */
  verbatim: { text: string };
  block: { body: NodeList };
  box: { duration: ExpressionNode | null; body: NodeList };
  delay: { duration: ExpressionNode; operands: Expressions };
  nop: { operands: Expressions };
  quantum: { name: NameNode; size: ExpressionNode | null };
  classical: {
    type: TypeNode;
    name: NameNode;
    value: ExpressionNode | null;
    modifier: "const" | "input" | "output" | null;
  };
  alias: { name: NameNode; value: ExpressionNode };
  assign: { target: ExpressionNode; operator: string; value: ExpressionNode };
  gate: { name: NameNode; params: readonly NameNode[]; qubits: readonly NameNode[]; body: NodeList | null };
  /** The call of a gate; `duration` is the time that it is to take, if that is written. */
  call: {
    name: NameNode;
    modifiers: readonly ModifierNode[];
    args: Expressions;
    duration: ExpressionNode | null;
    operands: Expressions;
  };
  measure: { operand: ExpressionNode; target: ExpressionNode | null };
  reset: { operand: ExpressionNode };
  barrier: { operands: Expressions };
  if: { condition: ExpressionNode; body: NodeList; otherwise: NodeList | null };
  while: { condition: ExpressionNode; body: NodeList };
  for: { type: TypeNode; name: NameNode; values: IndexNode; body: NodeList };
  switch: { value: ExpressionNode; cases: readonly CaseNode[] };
  def: { name: NameNode; params: readonly ParameterNode[]; result: TypeNode | null; body: NodeList };
  extern: { name: NameNode; params: readonly TypeNode[]; result: TypeNode | null };
  return: { value: ExpressionNode | null };
  break: Nothing;
  continue: Nothing;
  end: Nothing;
  expression: { value: ExpressionNode };
}

export type StatementNode = NodesOf<StatementTable>;

export type NodeOf<K extends StatementNode["kind"]> = Extract<StatementNode, { readonly kind: K }>;

type IfNode = NodeOf<"if">;

/** Returns a condition and each `else if` after it. */
export function armsOf(node: IfNode): IfNode[] {
  const arms = [node];
  for (;;) {
    const [only, ...others] = arms.at(-1)!.otherwise ?? [];
    if (only?.kind !== "if" || others.length > 0) return arms;
    arms.push(only);
  }
}

/** Whether a test holds for a part of the tree of a program, which may be as deep as the program is long. */
export function someNode(tree: unknown, test: (node: object) => boolean): boolean {
  const open = [tree];
  while (open.length > 0) {
    const node = open.pop();
    if (typeof node !== "object" || node === null) continue;
    if (test(node)) return true;
    if (Array.isArray(node) || !(Symbol.iterator in node)) {
      for (const part of Object.values(node)) if (typeof part === "object") open.push(part);
    } else for (const part of node as Iterable<unknown>) if (someNode(part, test)) return true;
  }
  return false;
}

/** Whether a part of the tree of a program mentions a name, as a value or by calling it. */
export const mentions = (tree: unknown, name: string): boolean =>
  someNode(tree, node => (node as { name?: unknown }).name === name);
