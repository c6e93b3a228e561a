import type { CircuitParts } from "./circuit-parts.ts";
import { constant } from "./expression.ts";
import type { PhaseGate } from "./gate.ts";
import { bodiesOf, type Statement, withBodies } from "./statement.ts";
import { DURATION } from "./values/types.ts";

/** Creates an identity gate that marks a place in a circuit; its name is none that a program can give. */
export const marker = (name: string, numQubits: number, numParams: number): PhaseGate => ({
  kind: "phase",
  name,
  symbol: name,
  numParams,
  numQubits,
  controls: new Array<boolean>(numQubits).fill(true),
  diagonal: true,
  scale: 0,
});

/** A delay of a qubit; its parameter is the duration in nanoseconds. */
export const DELAY = marker("delay of a qubit", 1, 1);
/** The begin of a box; its parameter is the duration in nanoseconds, 0 where it has none. */
export const BOX_BEGIN = marker("begin of a box", 0, 1);
export const BOX_END = marker("end of a box", 0, 0);

/** Returns a circuit whose delays and boxes are marked by gates, which a trace of it keeps with their durations. */
export function withTimingMarkers(parts: CircuitParts): CircuitParts {
  const first = parts.gates.length;
  const call = (gate: number, name: string, rest: Partial<Statement & { kind: "gate" }> = {}): Statement => ({
    kind: "gate",
    gate,
    name,
    label: name,
    args: [],
    modifiers: [],
    params: [],
    qubits: [],
    ...rest,
  });
  const all = Array.from({ length: parts.numQubits }, (_, qubit) => qubit);
  const marked = (statement: Statement): Statement[] => {
    if (statement.kind === "delay") {
      const params = [statement.duration];
      const delays = (statement.qubits ?? [all]).map(qubits =>
        call(first, DELAY.name, { params, qubits: [qubits] }),
      );
      return [statement, ...delays];
    }
    const bodies = bodiesOf(statement).map(body => body.flatMap(marked));
    if (statement.kind !== "box") return [withBodies(statement, bodies)];
    const params = [statement.duration ?? constant(DURATION, 0)];
    return [call(first + 1, BOX_BEGIN.name, { params }), ...bodies[0]!, call(first + 2, BOX_END.name)];
  };
  return { ...parts, gates: [...parts.gates, DELAY, BOX_BEGIN, BOX_END], body: parts.body.flatMap(marked) };
}
