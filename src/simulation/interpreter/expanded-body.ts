import type { CircuitParts } from "../circuit/circuit.ts";
import { bitName } from "../circuit/format-expression.ts";
import type { StructuredBody, StructuredNode } from "../circuit/structured-body.ts";
import { SimulationError } from "../errors.ts";
import { traceOf } from "./trace.ts";
import type { TraceStep } from "./trace-block.ts";
import { nestingOf, type TracePart } from "./trace-nesting.ts";

/** Returns what a reader sees of a program whose loops and variables are carried out, or null where that is too much. */
export function expandedBody(parts: CircuitParts): StructuredBody | null {
  try {
    return bodyOf(parts);
  } catch (error) {
    if (error instanceof SimulationError) return null;
    throw error;
  }
}

/**
 * The same, or null where a loop ends by what it measures.
 * Throws a {@link SimulationError} where it is too much.
 */
export function bodyOf(parts: CircuitParts): StructuredBody | null {
  const nesting = nestingOf(traceOf(parts));
  return nesting && nodesOf(nesting, parts);
}

function nodesOf(nesting: readonly TracePart[], parts: CircuitParts): StructuredNode[] {
  return nesting.flatMap((part): StructuredNode[] => {
    if (part.kind === "steps") return part.steps.flatMap(step => nodeOf(step, parts) ?? []);
    const bit = bitName(part.bit, parts.classical) ?? "result";
    const block = (label: string, body: readonly TracePart[]): StructuredNode[] =>
      body.length > 0 ? [{ kind: "block", label, bits: [part.bit], body: nodesOf(body, parts) }] : [];
    return [...block(`if ${bit}`, part.one), ...block(`if !${bit}`, part.zero)];
  });
}

function nodeOf(step: TraceStep, parts: CircuitParts): StructuredNode | null {
  switch (step.kind) {
    case "operations":
      return step;
    case "gate": {
      const { gate, params, qubits } = step;
      const call = { gate, params, operands: qubits.map(qubit => [qubit]) };
      return { kind: "dynamic", name: gate.name, label: gate.symbol, qubits, bits: [], call };
    }
    case "measure":
      return {
        kind: "dynamic",
        name: "measure",
        label: "M",
        qubits: [step.qubit],
        bits: step.bit === null ? [] : [step.bit],
      };
    case "reset":
      return { kind: "dynamic", name: "reset", label: "|0⟩", qubits: [step.qubit], bits: [] };
    case "set": {
      const bit = bitName(step.bit, parts.classical);
      if (!bit) return null;
      return { kind: "annotation", label: `${bit} = ${step.value}`, qubits: [], bits: [step.bit] };
    }
  }
}
