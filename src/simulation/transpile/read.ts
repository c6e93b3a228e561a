import type { CircuitParts } from "../circuit/circuit.ts";
import { listEvaluator } from "../circuit/evaluate.ts";
import { constant, isList, type OperandIndices } from "../circuit/expression.ts";
import { bitsOfWord, type Value } from "../circuit/memory.ts";
import type { Statement, StatementList } from "../circuit/statement.ts";
import { structuredGraph } from "../circuit/structure-graph.ts";
import { EvaluationError, SimulationError } from "../errors.ts";
import { locate } from "../interpreter/locations.ts";
import { mapBodies, type Operation, visitAll } from "./operation.ts";
import { readIf, readSubroutine, readSwitch } from "./read-branches.ts";
import { type Ending, KnownMemory, locationOf, ReadContext, type StatementOf } from "./read-context.ts";
import { readFor, readWhile } from "./read-loops.ts";
import { readGate, readMeasurement, readRun } from "./read-operations.ts";

/**
 * Returns what a program does as operations on known qubits. Loops and branches that are decided before the run are
 * unrolled or taken; what measurements decide is kept. `qubits` are those that large gates may borrow, and that delays
 * without operands are for.
 * Throws a {@link SimulationError} where a measurement decides which qubit is meant.
 */
export function readOperations(parts: CircuitParts, qubits: readonly number[]): readonly Operation[] {
  const context = new ReadContext(parts, qubits, readStatements);
  const out: Operation[] = [];
  try {
    context.read(parts.body, out);
    return withoutUnread(out, parts);
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    const place = locate(parts, error.at);
    throw new SimulationError(place ? `${place}: ${error.message}` : error.message);
  }
}

function readStatements(context: ReadContext, statements: StatementList, out: Operation[]): Ending {
  for (const statement of statements) {
    const ending = readStatement(context, statement, out);
    if (ending !== "next") return ending;
  }
  return "next";
}

function readStatement(context: ReadContext, statement: Statement, out: Operation[]): Ending {
  switch (statement.kind) {
    case "operations":
      readRun(context, statement, out);
      return "next";
    case "gate":
      readGate(context, statement, out);
      return "next";
    case "measure":
      readMeasurement(context, statement, out);
      return "next";
    case "reset":
      for (const qubit of context.knownQubits(statement.qubits, statement))
        context.add(out, [{ ...locationOf(statement), kind: "reset", qubits: [qubit] }]);
      return "next";
    case "assign":
      readAssignment(context, out, statement, statement.slot, context.memory.value(statement.value));
      return "next";
    case "resolve":
      readAssignment(context, out, statement, statement.slot, context.memory.indices(statement.indices));
      return "next";
    case "fill":
      readFill(context, statement, out);
      return "next";
    case "store":
      readStore(context, statement, out);
      return "next";
    case "delay": {
      const qubits = statement.qubits
        ? [...new Set(statement.qubits.flatMap(list => context.knownQubits(list, statement)))]
        : context.qubits;
      const duration = context.memory.value(statement.duration);
      const known = duration === undefined ? statement.duration : constant(statement.duration.type, duration);
      context.keep(out, { ...statement, duration: known }, [], qubits);
      return "next";
    }
    case "duration":
      if (context.memory.value(statement.duration) === undefined) context.keep(out, statement);
      return "next";
    case "box": {
      const body: Operation[] = [];
      const ending = context.read(statement.body, body);
      context.keep(out, statement, [body]);
      return ending;
    }
    case "scope":
      return context.read(statement.body, out);
    case "subroutine":
      return readSubroutine(context, statement, out);
    case "if":
      return readIf(context, statement, out);
    case "while":
      return readWhile(context, statement, out);
    case "for":
      return readFor(context, statement, out);
    case "switch":
      return readSwitch(context, statement, out);
    case "graph": {
      const nested = structuredGraph(statement.blocks, context.parts.classical);
      if (!nested)
        throw new SimulationError(
          "The program's jumps form loops that are entered or left in several places, or branches that are nested too deep; such a program is not transpiled.",
        );
      return context.read(nested, out);
    }
    case "recurse":
      throw new SimulationError(
        `${context.where(statement)}${statement.name} calls itself; a program with such a subroutine is not transpiled.`,
      );
    default:
      return statement.kind;
  }
}

/** Reads a statement that sets a slot, to `undefined` where its value is not known before the run. */
function readAssignment(
  context: ReadContext,
  out: Operation[],
  statement: Statement,
  slot: number,
  value: Value | readonly number[] | undefined,
): void {
  context.memory.set(slot, value);
  context.keep(out, statement);
}

/** Reads a statement that sets several slots. */
function readFill(context: ReadContext, statement: StatementOf<"fill">, out: Operation[]): void {
  const slots = context.memory.indices(statement.slots);
  const values = context.memory.attempt(listEvaluator(statement.values));
  if (slots) for (const [i, slot] of slots.entries()) context.memory.set(slot, values?.[i]);
  else context.memory.become(new KnownMemory());
  context.keep(out, statement);
}

/** Reads a statement that sets classical bits. */
function readStore(context: ReadContext, statement: StatementOf<"store">, out: Operation[]): void {
  const bits = context.memory.indices(statement.bits);
  const value = context.memory.value(statement.value);
  if (bits) {
    const values = typeof value === "bigint" ? bitsOfWord(value, bits.length) : null;
    for (const [i, bit] of bits.entries()) context.memory.writeBit(bit, values ? values[i]! : null);
  } else for (let bit = 0; bit < context.parts.numBits; bit++) context.memory.writeBit(bit, null);
  context.keep(out, statement);
}

/** Leaves out assignments to slots that nothing reads. */
function withoutUnread(operations: readonly Operation[], { outputs }: CircuitParts): readonly Operation[] {
  const read = new Set<number>();
  let readsAny = false;
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null || ArrayBuffer.isView(node)) return;
    if (Array.isArray(node)) {
      if (typeof node[0] === "object") for (const inner of node) visit(inner);
      return;
    }
    const { kind, slot, slots } = node as { kind?: string; slot?: number; slots?: OperandIndices };
    if ((kind === "slot" || kind === "claim") && slot !== undefined) read.add(slot);
    if ((kind === "element" || kind === "slots") && slots) {
      if (isList(slots)) for (const one of slots) read.add(one);
      else readsAny = true;
    }
    for (const [key, inner] of Object.entries(node)) if (key !== "range") visit(inner);
  };
  for (const output of outputs) for (const slot of output.slots?.slots ?? []) read.add(slot);
  visitAll(operations, operation => {
    if (operation.kind === "rotation") visit(operation.angle);
    if (operation.kind !== "statement") return;
    const {
      body: _,
      before: __,
      cases,
      otherwise: ___,
      ...own
    } = operation.statement as Record<string, unknown>;
    visit({ ...own, kind: `statement ${operation.statement.kind}` });
    if (cases && operation.statement.kind === "switch") read.add(operation.statement.slot);
  });
  const isUnread = (operation: Operation): boolean => {
    if (operation.kind !== "statement") return false;
    const { statement } = operation;
    if (statement.kind === "assign" || statement.kind === "resolve") return !read.has(statement.slot);
    return (
      statement.kind === "fill" && isList(statement.slots) && !statement.slots.some(slot => read.has(slot))
    );
  };
  return readsAny ? operations : mapBodies(operations, list => list.filter(one => !isUnread(one)));
}
