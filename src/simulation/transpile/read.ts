import type { CircuitParts } from "../circuit/circuit.ts";
import { constant } from "../circuit/expression.ts";
import type { Statement, StatementList } from "../circuit/statement.ts";
import { structuredGraph } from "../circuit/structure-graph.ts";
import { EvaluationError, SimulationError } from "../errors.ts";
import { locate } from "../interpreter/locations.ts";
import type { Operation } from "./operation.ts";
import { readAssignment, readFill, readStore } from "./read-assignments.ts";
import { readIf, readSubroutine, readSwitch } from "./read-branches.ts";
import { type Ending, locationOf, ReadContext } from "./read-context.ts";
import { readFor, readWhile } from "./read-loops.ts";
import { readGate, readMeasurement, readRun } from "./read-operations.ts";
import { withoutUnread } from "./unread-slots.ts";

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
