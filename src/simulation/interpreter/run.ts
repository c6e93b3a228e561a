import type { CircuitParts } from "../circuit/circuit.ts";
import { evaluate, indicesOf, valuesOf } from "../circuit/evaluate.ts";
import type { Gate } from "../circuit/gate.ts";
import { bitsOfWord, DeferredMeasurement, type Memory } from "../circuit/memory.ts";
import { modify } from "../circuit/modifiers.ts";
import { NO_BIT, NOWHERE, OPERATION, operandsAt } from "../circuit/operations.ts";
import { negativeDuration, type Statement } from "../circuit/statement.ts";
import {
  EvaluationError,
  LimitExceededError,
  type LoopPlace,
  SimulationError,
  UnsupportedMethodError,
} from "../errors.ts";
import { formatLocation, type SourceLocation, textOf } from "../source-text.ts";
import type { ExecutionState, Meter, OperationState } from "./execution-state.ts";
import type { Instruction, LinkedProgram } from "./link.ts";

/** Return value of {@link run} at the end of the program. */
export const FINISHED = -1;

/**
 * Runs a branch until the program ends, which returns {@link FINISHED}, or until the value of a qubit has to be decided,
 * which returns the qubit. Called again after that, it continues with the step that needed it.
 */
export function run(branch: ExecutionState, program: LinkedProgram, budget: Meter): number {
  while (program.instructions.at(branch.instruction)!.kind !== "end") {
    const qubit = advance(branch, program, budget);
    if (qubit >= 0) return qubit;
  }
  return FINISHED;
}

/** Executes one instruction, and returns -1, or the qubit that has to be decided before. */
export function advance(branch: ExecutionState, program: LinkedProgram, budget: Meter): number {
  try {
    budget.spend(1);
    return step(branch, program, program.instructions.at(branch.instruction)!, budget);
  } catch (error) {
    if (error instanceof DeferredMeasurement) return error.qubit;
    throw locatedError(error, branch, program);
  }
}

/** Returns an error with the place in the program at which an execution stands. */
function locatedError(error: unknown, branch: OperationState, program: LinkedProgram): unknown {
  if (error instanceof UnsupportedMethodError)
    return error.at(locate(program.parts, offsetOf(branch, program)));
  if (error instanceof LimitExceededError)
    return error.within(
      locate(program.parts, offsetOf(branch, program)),
      loopAround(program, branch.instruction),
    );
  return explained(error, program.parts);
}

function step(
  branch: ExecutionState,
  program: LinkedProgram,
  instruction: Instruction,
  budget: Meter,
): number {
  switch (instruction.kind) {
    case "operations": {
      const qubit = runOperations(branch, program, instruction.start, instruction.end);
      if (qubit >= 0) return qubit;
      break;
    }
    case "gate": {
      const qubit = runGate(branch, program, instruction);
      if (qubit >= 0) return qubit;
      break;
    }
    case "measure": {
      const qubits = indicesOf(instruction.qubits, branch);
      const bits = instruction.bits && indicesOf(instruction.bits, branch);
      if (bits && bits.length !== qubits.length)
        throw new EvaluationError(
          `${qubits.length} qubits are measured into ${bits.length} bits; the numbers must be equal.`,
          instruction.range?.[0],
        );
      for (let i = 0; i < qubits.length; i++) branch.measure(qubits[i]!, bits ? bits[i]! : -1);
      budget.spend(qubits.length);
      break;
    }
    case "reset":
      for (const qubit of indicesOf(instruction.qubits, branch)) branch.reset(qubit);
      break;
    case "assign":
      branch.slots[instruction.slot] = evaluate(instruction.value, branch);
      break;
    case "resolve":
      branch.slots[instruction.slot] = indicesOf(instruction.indices, branch);
      break;
    case "fill": {
      const values = valuesOf(instruction.values, branch);
      indicesOf(instruction.slots, branch).forEach((slot, i) => {
        branch.slots[slot] = values[i]!;
      });
      break;
    }
    case "store": {
      const value = evaluate(instruction.value, branch) as bigint;
      const bits = indicesOf(instruction.bits, branch);
      const values = bitsOfWord(value, bits.length);
      bits.forEach((bit, i) => {
        branch.writeBit(bit, values[i]!);
      });
      break;
    }
    case "delay":
    case "duration": {
      const nanoseconds = evaluate(instruction.duration, branch) as number;
      if (nanoseconds < 0) throw new EvaluationError(negativeDuration(nanoseconds), instruction.at);
      break;
    }
    case "set":
      instruction.set(branch);
      break;
    case "jumpIfFalse":
      if (instruction.bit !== undefined && branch.undecidedQubit) {
        const qubit = branch.undecidedQubit(instruction.bit);
        if (qubit >= 0) return qubit;
      }
      if (branch.applyWhere && tryConditional(branch, program, instruction)) return -1;
      branch.instruction = instruction.condition(branch) ? branch.instruction + 1 : instruction.target;
      return -1;
    case "jump":
      branch.instruction = instruction.target;
      return -1;
  }
  branch.instruction++;
  return -1;
}

/** Executes operations whose condition reads only one bit without deciding the bit, if the branch can; returns whether it did. */
function tryConditional(
  branch: ExecutionState,
  { instructions, parts }: LinkedProgram,
  { bit, condition, target }: Instruction & { kind: "jumpIfFalse" },
): boolean {
  const body = instructions.at(branch.instruction + 1)!;
  if (bit === undefined || body.kind !== "operations" || target !== branch.instruction + 2) return false;
  const { start, end } = body;
  if (!branch.applyWhere!(bit, condition, { parts, start, end })) return false;
  branch.instruction = target;
  return true;
}

/** Executes a range of the circuit's operations, and returns -1, or the qubit that has to be decided before. */
function runOperations(branch: OperationState, { parts }: LinkedProgram, start: number, end: number): number {
  if (branch.range) {
    branch.range(start, end);
    return -1;
  }
  const { kinds, gates, operandStarts, operands, paramStarts, params } = parts.operations;
  for (let i = branch.operation < 0 ? start : branch.operation; i < end; i++) {
    const first = operandStarts[i]!;
    branch.operation = i;
    switch (kinds[i]) {
      case OPERATION.gate: {
        const gate = parts.gates[gates[i]!]!;
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

function runGate(
  branch: ExecutionState,
  { parts }: LinkedProgram,
  statement: Statement & { kind: "gate" },
): number {
  const gate = calledGate(parts, statement, branch);
  const params = statement.params.map(param => evaluate(param, branch) as number);
  const calls = callsOf(statement, gate, branch);
  for (let i = Math.max(0, branch.operation); i < calls.length; i++) {
    const qubit = branch.apply(gate, params, 0, calls[i]!, 0);
    if (qubit >= 0) {
      branch.operation = i;
      return qubit;
    }
  }
  branch.operation = -1;
  return -1;
}

/** Returns the gate of a call with its modifiers. */
export function calledGate(
  { gates }: CircuitParts,
  { gate, modifiers, range }: Statement & { kind: "gate" },
  memory: Memory,
): Gate {
  return modifiers.reduce((inner, modifier) => {
    const { kind } = modifier;
    const exponent = kind === "pow" ? (evaluate(modifier.exponent, memory) as number) : 1;
    try {
      return modify(inner, kind === "pow" ? { kind, exponent } : modifier);
    } catch (error) {
      throw error instanceof RangeError ? new EvaluationError(error.message, range?.[0]) : error;
    }
  }, gates[gate]!);
}

/** Lists the qubits of each application of a gate: to registers place by place; an operand of one qubit belongs to all. */
export function callsOf(
  { qubits, range }: Statement & { kind: "gate" },
  { name }: Gate,
  memory: Memory,
): readonly (readonly number[])[] {
  const lists = qubits.map(operand => indicesOf(operand, memory));
  let count = 1;
  for (const { length } of lists)
    if (length !== 1) {
      if (count !== 1 && count !== length)
        throw new EvaluationError(
          `${name} is applied to registers of ${count} and ${length} qubits.`,
          range?.[0],
        );
      count = length;
    }
  return Array.from({ length: count }, (_, i) => {
    const operands = operandsAt(lists, i);
    if (operands.some((qubit, place) => operands.indexOf(qubit) < place))
      throw new EvaluationError(`${name} is applied to the same qubit twice.`, range?.[0]);
    return operands;
  });
}

/** Returns the location of an offset in the source of a circuit; null where that is not known. */
export const locationOf = ({ source }: CircuitParts, offset = NOWHERE): SourceLocation | null =>
  offset === NOWHERE || !source ? null : textOf(source).locate(offset);

/** Returns `line:column` of an offset in the source of a circuit, after the file if it is an included one, or nothing where that is not known. */
function locate(parts: CircuitParts, offset: number | undefined): string {
  const location = locationOf(parts, offset);
  return location ? formatLocation(location) : "";
}

/** Returns the same as the beginning of a message. */
export function whereOf(parts: CircuitParts, offset: number | undefined): string {
  const place = locate(parts, offset);
  return place && `${place}: `;
}

/** Returns where the operation that is executed begins in the source, or {@link NOWHERE}. */
export function offsetOf(
  { instruction, operation }: OperationState,
  { parts, instructions }: LinkedProgram,
): number {
  const stands = instructions.at(instruction)!;
  const isOperation = stands.kind === "gate" || stands.kind === "measure" || stands.kind === "reset";
  return (isOperation ? stands.range?.[0] : parts.operations.offsets[operation]) ?? NOWHERE;
}

/** Returns the innermost loop around an instruction that may run for ever, or the innermost one, where there is one. */
export function loopAround({ instructions, parts }: LinkedProgram, at: number): LoopPlace | undefined {
  let innermost: LoopPlace | undefined;
  for (let i = at; i < instructions.length; i++) {
    const instruction = instructions.at(i)!;
    if (instruction.kind !== "jump" || instruction.loop === undefined || instruction.target > at) continue;
    const isCounted = instruction.isCounted ?? false;
    if (!isCounted || !innermost) innermost = { place: locate(parts, instruction.loop), isCounted };
    if (!isCounted) break;
  }
  return innermost;
}

/** Turns what an expression has thrown into an error for the author of the program; anything else stays as it is. */
export function explained(error: unknown, parts: CircuitParts): unknown {
  if (!(error instanceof EvaluationError)) return error;
  return new SimulationError(`${whereOf(parts, error.at)}${error.message}`);
}
