import type { CircuitParts, Outline } from "../circuit/circuit.ts";
import { type TraceStep, traceOf } from "../circuit/trace.ts";
import { nestingOf, type TracePart } from "../circuit/trace-nesting.ts";
import { SimulationError } from "../errors.ts";

/** Gives what a reader sees of a program whose blocks jump to each other: choices by measured bits as conditions, where that is what they are. */
export function outlineOf(parts: CircuitParts): readonly Outline[] {
  const isPlain = parts.instructions.every(
    (instruction, i) =>
      ["operations", "assign", "end"].includes(instruction.kind) ||
      (instruction.kind === "jump" && instruction.target === i + 1),
  );
  if (isPlain) return parts.outline;
  try {
    const nesting = nestingOf(traceOf(parts));
    if (nesting) return nodesOf(nesting, parts);
  } catch (error) {
    if (!(error instanceof SimulationError)) throw error;
  }
  return [{ kind: "block", label: "loops", bits: [], body: parts.outline }];
}

function nodesOf(nesting: readonly TracePart[], parts: CircuitParts): Outline[] {
  return nesting.flatMap((part): Outline[] => {
    if (part.kind === "steps") return part.steps.flatMap(step => nodeOf(step) ?? []);
    const register = parts.classical.find(
      ({ offset, width }) => part.bit >= offset && part.bit < offset + width,
    );
    const bit = register ? `${register.name}[${part.bit - register.offset}]` : "result";
    const block = (label: string, body: readonly TracePart[]): Outline[] =>
      body.length > 0 ? [{ kind: "block", label, bits: [part.bit], body: nodesOf(body, parts) }] : [];
    return [...block(`if ${bit}`, part.one), ...block(`if !${bit}`, part.zero)];
  });
}

function nodeOf(step: TraceStep): Outline | null {
  switch (step.kind) {
    case "operations":
      return step;
    case "gate": {
      const params = step.params.map(value => String(Number(value.toPrecision(4)))).join(", ");
      const label = params ? `${step.gate.symbol}(${params})` : step.gate.symbol;
      return { kind: "dynamic", name: step.gate.name, label, qubits: step.qubits, bits: [] };
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
    case "set":
      return null;
  }
}
