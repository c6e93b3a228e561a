import type { Circuit, CircuitParts } from "../circuit/circuit.ts";
import { bitName } from "../circuit/format-expression.ts";
import { depthOf, gateCountsOf, twoQubitGateCount } from "../circuit/metrics.ts";
import { bodiesOf, type StatementList } from "../circuit/statement.ts";
import type { StructuredBody, StructuredNode } from "../circuit/structured-body.ts";
import { SimulationError } from "../errors.ts";
import { nestingOf, type TracePart, type TraceStep } from "./blocks.ts";
import { traceOf } from "./trace.ts";

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
function bodyOf(parts: CircuitParts): StructuredBody | null {
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
    case "dynamic":
      return null;
    case "set": {
      const bit = bitName(step.bit, parts.classical);
      if (!bit) return null;
      return { kind: "annotation", label: `${bit} = ${step.value}`, qubits: [], bits: [step.bit] };
    }
  }
}

/** Figures of a program whose loops are carried out. */
export interface ProgramFigures {
  readonly depth: number;
  readonly gateCounts: { readonly [gate: string]: number };
  readonly twoQubitGates: number;
  readonly width: number;
}

/**
 * Returns the figures of a program. Where a loop ends by what it measures, the body of each loop counts once.
 * Throws a {@link SimulationError} where the loops are too long to carry out.
 */
export function programFigures(circuit: Circuit): ProgramFigures {
  const { parts, numQubits } = circuit;
  const body = carriedOut(parts);
  return {
    depth: depthOf(parts, body),
    gateCounts: Object.freeze(gateCountsOf(parts, body)),
    twoQubitGates: twoQubitGateCount(circuit, body),
    width: numQubits,
  };
}

function carriedOut(parts: CircuitParts): StructuredBody | undefined {
  try {
    return bodyOf(parts) ?? undefined;
  } catch (error) {
    if (error instanceof SimulationError && !hasLoops(parts.body)) return undefined;
    throw error;
  }
}

const hasLoops = (statements: StatementList): boolean =>
  statements.some(
    statement =>
      ["for", "while", "graph"].includes(statement.kind) || bodiesOf(statement).some(body => hasLoops(body)),
  );
