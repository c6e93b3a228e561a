interface Node {
  /** Offset of the first character. */
  readonly at: number;
  /** Offset after the last character. */
  readonly end: number;
}

/** The statements of a body, in their order. */
export type NodeList = readonly StatementNode[];

/** A type as it is written; `width` is what stands in its brackets. */
export interface TypeNode extends Node {
  readonly name: string;
  readonly width: ExpressionNode | null;
  /** Shape of an array. */
  readonly array?: ArrayShapeNode;
}

/** The element of an array, and its sizes or, of a parameter alone, the number of its dimensions. */
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

/** Content of index brackets. */
export type IndexNode = ExpressionNode | RangeNode | SetNode;

/** Units of time; `dt` is one sample of the device. */
export type DurationUnit = "dt" | "ns" | "us" | "ms" | "s";

/** An expression; `depth` is the number of levels below and with it. */
export type ExpressionNode = Node & { readonly depth: number } & (
    | { readonly kind: "integer"; readonly value: bigint }
    | { readonly kind: "float"; readonly value: number }
    | { readonly kind: "boolean"; readonly value: boolean }
    | { readonly kind: "bits"; readonly text: string }
    | { readonly kind: "imaginary"; readonly value: number }
    | { readonly kind: "duration"; readonly value: number; readonly unit: DurationUnit }
    | { readonly kind: "durationof"; readonly body: NodeList }
    | { readonly kind: "array"; readonly items: readonly ExpressionNode[] }
    | { readonly kind: "name"; readonly name: string }
    | { readonly kind: "hardware"; readonly index: number }
    | { readonly kind: "unary"; readonly operator: string; readonly operand: ExpressionNode }
    | {
        readonly kind: "binary";
        readonly operator: string;
        readonly left: ExpressionNode;
        readonly right: ExpressionNode;
      }
    | { readonly kind: "index"; readonly base: ExpressionNode; readonly items: readonly IndexNode[] }
    | { readonly kind: "call"; readonly name: string; readonly args: readonly ExpressionNode[] }
    | { readonly kind: "cast"; readonly type: TypeNode; readonly operand: ExpressionNode }
    | { readonly kind: "concatenation"; readonly parts: readonly ExpressionNode[] }
    | { readonly kind: "measure"; readonly operand: ExpressionNode }
  );

/** A modifier of a gate call. */
export interface ModifierNode extends Node {
  readonly kind: "inv" | "pow" | "ctrl" | "negctrl";
  readonly argument: ExpressionNode | null;
}

/** A name with its place. */
export interface NameNode extends Node {
  readonly name: string;
}

/** A parameter of a subroutine. */
export interface ParameterNode extends NameNode {
  readonly type: TypeNode;
}

/** One case of a switch; no labels stand for the default. */
export interface CaseNode extends Node {
  readonly labels: readonly ExpressionNode[] | null;
  readonly body: NodeList;
}

/** A statement. */
export type StatementNode = Node &
  (
    | { readonly kind: "include"; readonly file: string }
    /** A pragma, an annotation or a part in a calibration language: kept, and without effect. */
    | { readonly kind: "verbatim"; readonly text: string }
    | { readonly kind: "block"; readonly body: NodeList }
    | {
        readonly kind: "box";
        readonly duration: ExpressionNode | null;
        readonly body: NodeList;
      }
    | {
        readonly kind: "delay";
        readonly duration: ExpressionNode;
        readonly operands: readonly ExpressionNode[];
      }
    | { readonly kind: "nop"; readonly operands: readonly ExpressionNode[] }
    | { readonly kind: "quantum"; readonly name: NameNode; readonly size: ExpressionNode | null }
    | {
        readonly kind: "classical";
        readonly type: TypeNode;
        readonly name: NameNode;
        readonly value: ExpressionNode | null;
        readonly modifier: "const" | "input" | "output" | null;
      }
    | { readonly kind: "alias"; readonly name: NameNode; readonly value: ExpressionNode }
    | {
        readonly kind: "assign";
        readonly target: ExpressionNode;
        readonly operator: string;
        readonly value: ExpressionNode;
      }
    | {
        readonly kind: "gate";
        readonly name: NameNode;
        readonly params: readonly NameNode[];
        readonly qubits: readonly NameNode[];
        readonly body: NodeList | null;
      }
    | {
        readonly kind: "call";
        readonly name: NameNode;
        readonly modifiers: readonly ModifierNode[];
        readonly args: readonly ExpressionNode[];
        /** The time that the gate is to take, where it is written. */
        readonly duration: ExpressionNode | null;
        readonly operands: readonly ExpressionNode[];
      }
    | { readonly kind: "measure"; readonly operand: ExpressionNode; readonly target: ExpressionNode | null }
    | { readonly kind: "reset"; readonly operand: ExpressionNode }
    | { readonly kind: "barrier"; readonly operands: readonly ExpressionNode[] }
    | {
        readonly kind: "if";
        readonly condition: ExpressionNode;
        readonly body: NodeList;
        readonly otherwise: NodeList | null;
      }
    | { readonly kind: "while"; readonly condition: ExpressionNode; readonly body: NodeList }
    | {
        readonly kind: "for";
        readonly type: TypeNode;
        readonly name: NameNode;
        readonly values: IndexNode;
        readonly body: NodeList;
      }
    | { readonly kind: "switch"; readonly value: ExpressionNode; readonly cases: readonly CaseNode[] }
    | {
        readonly kind: "def";
        readonly name: NameNode;
        readonly params: readonly ParameterNode[];
        readonly result: TypeNode | null;
        readonly body: NodeList;
      }
    | {
        readonly kind: "extern";
        readonly name: NameNode;
        readonly params: readonly TypeNode[];
        readonly result: TypeNode | null;
      }
    | { readonly kind: "return"; readonly value: ExpressionNode | null }
    | { readonly kind: "break" }
    | { readonly kind: "continue" }
    | { readonly kind: "end" }
    | { readonly kind: "expression"; readonly value: ExpressionNode }
  );

type IfNode = StatementNode & { kind: "if" };

/** Returns the `else if` after a condition, or null. */
export function elseIfOf({ otherwise }: IfNode): IfNode | null {
  const [only] = otherwise ?? [];
  return only?.kind === "if" && otherwise!.length === 1 ? only : null;
}

/** Returns a condition and each `else if` after it. */
export function armsOf(node: IfNode): IfNode[] {
  const arms: IfNode[] = [];
  for (let arm: IfNode | null = node; arm; arm = elseIfOf(arm)) arms.push(arm);
  return arms;
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

/** The list of nothing, which all share. */
export const NONE: readonly never[] = [];

/** Returns a list that takes no more memory than its items; one that grows has room for more. */
export const fitted = <T>(list: T[]): T[] => (list.length === 0 ? list : list.slice());
