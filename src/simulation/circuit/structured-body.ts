import { remembered } from "../memoized.ts";
import type { CircuitParts } from "./circuit-parts.ts";
import { type Expression, isList, type OperandIndices } from "./expression.ts";
import type { Gate } from "./gate.ts";
import type { Statement, StatementList } from "./statement.ts";
import { structuredGraph } from "./structure-graph.ts";

/** A node of the program as drawings and counts see it: a tree whose blocks are loops and conditions. */
export type StructuredNode =
  | { readonly kind: "operations"; readonly start: number; readonly end: number }
  | {
      readonly kind: "block";
      readonly label: string;
      readonly bits: readonly number[];
      readonly body: StructuredBody;
    }
  | {
      readonly kind: "dynamic";
      readonly name: string;
      readonly label: string;
      readonly qubits: readonly number[];
      readonly bits: readonly number[];
      /** The call of a gate on known qubits, of which only the parameters are computed. */
      readonly call?: StructuredCall;
    }
  /** Statement outside of gate counts: a delay, or an assignment to bits or a variable. */
  | {
      readonly kind: "annotation";
      readonly label: string;
      readonly qubits: readonly number[];
      readonly bits: readonly number[];
      readonly reads?: readonly number[];
    };

export type StructuredBody = readonly StructuredNode[];

/** A call of a gate; an operand of one qubit belongs to every qubit of the others. */
export interface StructuredCall {
  readonly gate: Gate;
  /** Numbers, or as the program writes them. */
  readonly params: readonly (number | string)[];
  readonly operands: readonly (readonly number[])[];
}

const known = new WeakMap<StatementList, StructuredBody>();

/** Returns the structured body of a program, built once. */
export function structuredBodyOf(parts: CircuitParts): StructuredBody {
  return remembered(known, parts.body, () => nodesOf(parts.body, new PossibleOperands(parts)));
}

function nodesOf(statements: StatementList, possible: PossibleOperands): StructuredNode[] {
  const block = (label: string, bits: readonly number[], body: readonly Statement[]): StructuredNode => ({
    ...{ kind: "block", label, bits, body: nodesOf(body, possible) },
  });
  const dynamic = (
    name: string,
    label: string,
    operands: readonly OperandIndices[],
    bits: readonly number[] = [],
  ): StructuredNode & { kind: "dynamic" } => ({
    kind: "dynamic",
    name,
    label,
    qubits: possible.of(operands),
    bits,
  });
  return statements.flatMap((statement): StructuredNode[] => {
    switch (statement.kind) {
      case "operations":
        return [{ kind: "operations", start: statement.start, end: statement.end }];
      case "gate":
        return [
          { ...dynamic(statement.name, statement.label, statement.qubits), ...callOf(statement, possible) },
        ];
      case "assign":
      case "fill":
      case "store": {
        const { label } = statement;
        if (label === undefined) return [];
        const bits = statement.kind === "store" ? possible.of([statement.bits]) : [];
        const reads = statement.kind === "fill" ? [] : possible.bitsIn(statement.value);
        return [{ kind: "annotation", label, qubits: [], bits, reads }];
      }
      case "delay": {
        const { label, qubits } = statement;
        return [{ kind: "annotation", label, qubits: possible.of(qubits ?? [null]), bits: [] }];
      }
      case "measure": {
        const { label, qubits, bits } = statement;
        return [dynamic("measure", label, [qubits], bits && isList(bits) ? bits : [])];
      }
      case "reset":
        return [dynamic("reset", statement.label, [statement.qubits])];
      case "scope":
        return nodesOf(statement.body, possible);
      case "box":
        return [block(statement.label, [], statement.body)];
      case "subroutine": {
        const { label, body } = statement;
        return [{ kind: "block", label, bits: [], body: possible.nodesOf(body) }];
      }
      case "if": {
        const { label, body, otherwise } = statement;
        const bits = possible.bitsIn(statement.condition);
        return [block(label, bits, body), ...(otherwise ? [block("else", bits, otherwise)] : [])];
      }
      case "while": {
        const inner = block(statement.label, possible.bitsIn(statement.condition), statement.body);
        return [...nodesOf(statement.before, possible), inner];
      }
      case "for":
        return [block(statement.label, [], statement.body)];
      case "switch": {
        const bits = possible.bitsIn(statement.value);
        return statement.cases.map(({ label, body }) => block(label, bits, body));
      }
      case "graph": {
        const nested = structuredGraph(statement.blocks, possible.parts.classical);
        if (nested) return nodesOf(nested, possible);
        const all = statement.blocks.flatMap(({ body }) => body);
        return [block("loops", [], all)];
      }
      default:
        return [];
    }
  });
}

function callOf(
  { gate, args, modifiers, qubits }: Statement & { kind: "gate" },
  { parts }: PossibleOperands,
): { call: StructuredCall } | null {
  if (modifiers.length > 0 || !qubits.every(isList)) return null;
  return { call: { gate: parts.gates[gate]!, params: args, operands: qubits } };
}

/** Finds the qubits and bits that operands and conditions may stand for, in lists that statements share. */
class PossibleOperands {
  readonly parts: CircuitParts;
  /** Unions of two lists, shared by statements. */
  readonly #joins = new WeakMap<object, Map<object, readonly number[]>>();
  #all: readonly number[] | undefined;
  readonly #nodes = new Map<readonly Statement[], StructuredBody>();

  constructor(parts: CircuitParts) {
    this.parts = parts;
  }

  /** Returns the nodes of a body that several calls may share. */
  nodesOf(body: readonly Statement[]): StructuredBody {
    return remembered(this.#nodes, body, () => nodesOf(body, this));
  }

  /** Returns the bits that a condition reads, where they are known. */
  bitsIn(node: Expression): readonly number[] {
    switch (node.kind) {
      case "bits":
        return isList(node.bits) ? node.bits : [];
      case "unary":
      case "cast":
        return this.bitsIn(node.operand);
      case "binary":
        return this.#joined([this.bitsIn(node.left), this.bitsIn(node.right)]);
      case "chain":
        return this.#joined(
          [node.first, ...node.steps.map(step => step.operand)].map(each => this.bitsIn(each)),
        );
      default:
        return [];
    }
  }

  /** Returns every qubit, or bit, that one of the operands may stand for; null stands for all qubits. */
  of(operands: readonly (OperandIndices | null)[]): readonly number[] {
    return this.#joined(
      operands.map(indices => {
        if (indices && isList(indices)) return indices;
        if (indices?.kind === "members") return this.of([indices.base]);
        if (indices?.kind === "joined") return this.of(indices.parts);
        this.#all ??= [...Array(this.parts.numQubits).keys()];
        return this.#all;
      }),
    );
  }

  /** Joins lists, each number once; a single list is kept unchanged. */
  #joined(lists: readonly (readonly number[])[]): readonly number[] {
    const several = [...new Set(lists)].filter(({ length }) => length > 0);
    if (several.length < 2) return several[0] ?? [];
    const [first, second] = several as [readonly number[], readonly number[]];
    const join = () => [...new Set(several.flat())];
    if (several.length > 2) return join();
    return remembered(
      remembered(this.#joins, first, () => new Map()),
      second,
      join,
    );
  }
}
