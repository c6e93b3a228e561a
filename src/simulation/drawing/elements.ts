import type { CircuitParts } from "../circuit/circuit.ts";
import { type CompositeGate, type Gate, stepParams } from "../circuit/gate.ts";
import { operationAt } from "../circuit/operations.ts";
import type { StructuredBody, StructuredCall, StructuredNode } from "../circuit/structured-body.ts";

/** A part of a circuit that is drawn as one. */
export type Element =
  | {
      readonly kind: "gate";
      readonly gate: Gate;
      /** Numbers, or as the program writes them. */
      readonly params: readonly (number | string)[];
      readonly qubits: readonly number[];
    }
  /** Qubits that follow each other, measured into bits that do so too, or into none. */
  | { readonly kind: "measure"; readonly qubits: readonly number[]; readonly bits: readonly number[] }
  | { readonly kind: "reset"; readonly qubit: number }
  | { readonly kind: "barrier"; readonly qubits: readonly number[] }
  /** An operation whose operands are computed; `qubits` and `bits` are those that it may touch. */
  | {
      readonly kind: "computed" | "annotation";
      readonly label: string;
      readonly qubits: readonly number[];
      readonly bits: readonly number[];
      /** The bits whose values are assigned. */
      readonly reads?: readonly number[];
    }
  /** A loop or condition, with what is done where it does not hold. */
  | { readonly kind: "block"; readonly node: BlockNode; readonly otherwise?: BlockNode };

/** A loop, a condition or a box of the program. */
export type BlockNode = StructuredNode & { readonly kind: "block" };

/** Visits parts of a circuit, with its gate definitions opened up to a number of levels. */
export function* elementsOf(
  nodes: StructuredBody,
  parts: CircuitParts,
  levels: number,
): Generator<Element, void, undefined> {
  let run: { kind: "measure"; qubits: number[]; bits: number[] } | null = null;
  for (const single of singleElements(nodes, parts, levels)) {
    if (single.kind === "measure") {
      if (run && continues(run, single)) {
        run.qubits.push(...single.qubits);
        run.bits.push(...single.bits);
        continue;
      }
      if (run) yield run;
      run = { kind: "measure", qubits: [...single.qubits], bits: [...single.bits] };
      continue;
    }
    if (run) yield run;
    run = null;
    yield single;
  }
  if (run) yield run;

  function continues(before: { qubits: number[]; bits: number[] }, next: Element & { kind: "measure" }) {
    if (next.qubits[0] !== before.qubits.at(-1)! + 1) return false;
    if (next.bits.length === 0 || before.bits.length === 0) return next.bits.length === before.bits.length;
    const [bit, last] = [next.bits[0]!, before.bits.at(-1)!];
    return bit === last + 1 && !parts.classical.some(({ offset }) => offset === bit);
  }
}

function* singleElements(
  nodes: StructuredBody,
  parts: CircuitParts,
  levels: number,
): Generator<Element, void, undefined> {
  let isElse = false;
  for (const [at, node] of nodes.entries())
    if (isElse) isElse = false;
    else if (node.kind === "block") {
      const next = nodes[at + 1];
      isElse = next?.kind === "block" && next.label === "else";
      yield { kind: "block", node, ...(isElse && { otherwise: next as BlockNode }) };
    } else if (node.kind === "annotation") yield node;
    else if (node.kind === "operations")
      for (let i = node.start; i < node.end; i++) yield* opened(elementAt(i, parts), levels);
    else if (node.call) for (const call of callsOf(node.call)) yield* opened(call, levels);
    else if (node.name === "measure" && node.qubits.length === 1 && node.bits.length < 2)
      yield { ...node, kind: "measure" };
    else if (node.name === "reset" && node.qubits.length === 1)
      yield { kind: "reset", qubit: node.qubits[0]! };
    else yield { ...node, kind: "computed" };
}

function elementAt(i: number, parts: CircuitParts): Element {
  const operation = operationAt(parts, i);
  if (operation.kind !== "measure") return operation;
  const { qubit, bit } = operation;
  return { kind: "measure", qubits: [qubit], bits: bit === null ? [] : [bit] };
}

/** Returns the single gates that a call on registers comes to. */
function callsOf({ gate, params, operands }: StructuredCall): Element[] {
  const count = operands.find(({ length }) => length !== 1)?.length ?? 1;
  return Array.from({ length: count }, (_, i) => {
    const qubits = operands.map(places => places[places.length === 1 ? 0 : i]!);
    return { kind: "gate", gate, params, qubits };
  });
}

function* opened(element: Element, levels: number): Generator<Element, void, undefined> {
  const isOpened =
    levels > 0 &&
    element.kind === "gate" &&
    element.gate.kind === "composite" &&
    element.params.every(param => typeof param === "number");
  if (!isOpened) {
    yield element;
    return;
  }
  const { gate, params, qubits } = element;
  for (const step of (gate as CompositeGate).steps)
    yield* opened(
      {
        kind: "gate",
        gate: step.gate,
        params: stepParams(step, params as number[]),
        qubits: step.qubits.map(place => qubits[place]!),
      },
      levels - 1,
    );
}
