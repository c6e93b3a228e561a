import type { CircuitParts, Instruction } from "../circuit/circuit.ts";
import { bitsOfWord, Undecided } from "../circuit/memory.ts";
import { NO_BIT, NOWHERE, OPERATION } from "../circuit/operations.ts";
import { SimulationError, StoppedError, UnsuitedError } from "../errors.ts";
import type { Meter } from "../statevector/limits.ts";
import type { Course } from "./course.ts";

/** What {@link run} answers when the program has ended. */
export const FINISHED = -1;

/**
 * Runs a branch until the program ends, which gives {@link FINISHED}, or until the value of a qubit has to be decided,
 * which gives the qubit. Called again after that, it goes on with the step that needed it.
 */
export function run(branch: Course, parts: CircuitParts, budget: Meter): number {
  for (;;) {
    const instruction = parts.instructions[branch.instruction]!;
    if (instruction.kind === "end") return FINISHED;
    try {
      budget.spend(1);
      const qubit = step(branch, parts, instruction, budget);
      if (qubit >= 0) return qubit;
    } catch (error) {
      if (error instanceof Undecided) return error.qubit;
      if (error instanceof UnsuitedError) throw error.at(placeOf(branch, parts, instruction));
      if (error instanceof StoppedError)
        throw error.within(placeOf(branch, parts, instruction), loopAround(parts, branch.instruction));
      throw error;
    }
  }
}

/** Gives `line:column` of the gate at which a branch stands, where it is known. */
function placeOf(branch: Course, { operations, source }: CircuitParts, instruction: Instruction): string {
  if (instruction.kind === "gate") return instruction.at;
  const offset = operations.offsets[branch.operation];
  if (offset === undefined || offset === NOWHERE || !source) return "";
  const lines = source.data.slice(0, offset).split("\n");
  return `${lines.length}:${lines.at(-1)!.length + 1}`;
}

/** Gives `line:column` of the innermost loop around an instruction, where there is one. */
function loopAround({ instructions }: CircuitParts, at: number): string | undefined {
  for (let i = at; i < instructions.length; i++) {
    const instruction = instructions[i]!;
    if (instruction.kind === "jump" && instruction.at && instruction.target <= at) return instruction.at;
  }
  return undefined;
}

function step(branch: Course, parts: CircuitParts, instruction: Instruction, budget: Meter): number {
  switch (instruction.kind) {
    case "operations": {
      const qubit = runOperations(branch, parts, instruction.start, instruction.end);
      if (qubit >= 0) return qubit;
      break;
    }
    case "gate": {
      const qubit = runGate(branch, instruction);
      if (qubit >= 0) return qubit;
      break;
    }
    case "measure": {
      const qubits = instruction.qubits(branch);
      const bits = instruction.bits?.(branch);
      if (bits && bits.length !== qubits.length)
        throw new SimulationError(
          `${instruction.at}: ${qubits.length} qubits are measured into ${bits.length} bits; the numbers must be equal.`,
        );
      for (let i = 0; i < qubits.length; i++) branch.measure(qubits[i]!, bits ? bits[i]! : -1);
      budget.spend(qubits.length);
      break;
    }
    case "reset":
      for (const qubit of instruction.qubits(branch)) branch.reset(qubit);
      break;
    case "assign":
      branch.slots[instruction.slot] = instruction.value(branch);
      break;
    case "scatter": {
      const values = instruction.values(branch);
      instruction.slots(branch).forEach((slot, i) => {
        branch.slots[slot] = values[i]!;
      });
      break;
    }
    case "store": {
      const value = instruction.value(branch);
      const bits = instruction.bits(branch);
      const values = bitsOfWord(value, bits.length);
      bits.forEach((bit, i) => {
        branch.writeBit(bit, values[i]!);
      });
      break;
    }
    case "unless":
      branch.instruction = instruction.condition(branch) ? branch.instruction + 1 : instruction.target;
      return -1;
    case "jump":
      branch.instruction = instruction.target;
      return -1;
  }
  branch.instruction++;
  return -1;
}

function runOperations(branch: Course, parts: CircuitParts, start: number, end: number): number {
  const { kinds, gates, operandStarts, operands, paramStarts, params } = parts.operations;
  for (let i = branch.operation < 0 ? start : branch.operation; i < end; i++) {
    const first = operandStarts[i]!;
    switch (kinds[i]) {
      case OPERATION.gate: {
        const gate = parts.gates[gates[i]!]!;
        branch.operation = i;
        const qubit = branch.apply(gate, params, paramStarts[i]!, operands, first);
        if (qubit >= 0) return qubit;
        break;
      }
      case OPERATION.measure:
        branch.measure(operands[first]!, operands[first + 1] === NO_BIT ? -1 : operands[first + 1]!);
        break;
      case OPERATION.reset:
        branch.reset(operands[first]!);
        break;
    }
  }
  branch.operation = -1;
  return -1;
}

function runGate(branch: Course, instruction: Instruction & { kind: "gate" }): number {
  const gate = instruction.gate(branch);
  const params = instruction.params.map(compute => compute(branch));
  const lists = instruction.qubits.map(places => places(branch));
  let count = 1;
  for (const { length } of lists)
    if (length !== 1) {
      if (count !== 1 && count !== length)
        throw new SimulationError(
          `${instruction.at}: ${gate.name} is applied to registers of ${count} and ${length} qubits.`,
        );
      count = length;
    }
  const calls = Array.from({ length: count }, (_, i) => lists.map(list => list[list.length === 1 ? 0 : i]!));
  for (let i = Math.max(0, branch.operation); i < count; i++) {
    const qubits = calls[i]!;
    if (new Set(qubits).size < qubits.length)
      throw new SimulationError(`${instruction.at}: ${gate.name} is applied to the same qubit twice.`);
    const qubit = branch.apply(gate, params, 0, qubits, 0);
    if (qubit >= 0) {
      branch.operation = i;
      return qubit;
    }
  }
  branch.operation = -1;
  return -1;
}
