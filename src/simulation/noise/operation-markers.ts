import { CircuitBuilder } from "../circuit/builder.ts";
import type { Circuit } from "../circuit/circuit.ts";
import { constant } from "../circuit/expression.ts";
import type { ElementaryGate } from "../circuit/gate.ts";
import { OPERATION } from "../circuit/operations.ts";
import {
  NATIVE,
  OTHER_GATES,
  QASM2_BUILT_IN,
  QASM3_GATES,
  QELIB1,
  STDGATES,
  U3,
} from "../circuit/standard.ts";
import { bodiesOf, type Statement, type StatementList, withBodies } from "../circuit/statement.ts";
import { DELAY, marker, withTimingMarkers } from "../circuit/timing-markers.ts";
import { FLOAT } from "../circuit/values/types.ts";
import type { NoiseRules } from "../noise-rules.ts";
import { didYouMean } from "../openqasm/diagnostics/nearest-name.ts";
import { isVirtual } from "./gate-noise.ts";

/** Marks of operations; their parameter is 0. */
const [MEASURE, RESET, IDLE] = [
  marker("measure", 1, 1),
  marker("reset", 1, 1),
  marker("idle", 1, 1),
] as const;

/** Names of rules that are not gates: noise before a measurement, after a reset or a delay, and in a layer without a gate. */
export const NOISY_OPERATIONS: ReadonlySet<string> = new Set(["measure", "reset", "delay", "idle"]);

/** Returns a circuit in which identity gates mark the operations that rules name, and the layers in which qubits idle. */
export function withOperationMarkers(circuit: Circuit, { rules }: NoiseRules): Circuit {
  const named = new Set(rules.flatMap(({ gates = [] }) => gates.filter(name => NOISY_OPERATIONS.has(name))));
  if (named.size === 0) return circuit;
  const parts = named.has("delay") ? withTimingMarkers(circuit.parts) : circuit.parts;
  const builder = CircuitBuilder.like(parts);
  /** For each qubit in use, the number of layers in which it has been or waited. */
  const layers = new Map<number, number>();
  addBody(parts.body);
  return builder.finish();

  function addBody(statements: StatementList): void {
    statements.forEach((statement, i) => {
      if (i > 0) waitForLast([...layers.keys()]);
      addStatement(statement);
    });
  }

  function addStatement(statement: Statement): void {
    if (statement.kind === "operations") addRun(statement);
    else if (statement.kind === "gate")
      builder.add({ ...statement, gate: builder.gateIndex(parts.gates[statement.gate]!) });
    else if (statement.kind === "measure" || statement.kind === "reset") {
      const mark = (gate: typeof DELAY): Statement => ({
        ...{ kind: "gate", gate: builder.gateIndex(gate), name: gate.name, label: gate.name },
        ...{ args: [], modifiers: [], params: [constant(FLOAT, 0)], qubits: [statement.qubits] },
      });
      if (statement.kind === "measure" && named.has("measure")) builder.add(mark(MEASURE));
      builder.add(statement);
      if (statement.kind === "reset" && named.has("reset")) builder.add(mark(RESET));
    } else {
      const collect = (body: StatementList) =>
        builder.collect(() => {
          addBody(body);
          waitForLast([...layers.keys()]);
        });
      builder.add(withBodies(statement, bodiesOf(statement).map(collect)));
    }
  }

  function addRun({ start, end }: Statement & { kind: "operations" }): void {
    const { kinds, gates, operands, operandStarts, params, paramStarts, offsets, ends } = parts.operations;
    for (let i = start; i < end; i++) {
      const kind = kinds[i]!;
      const gate = parts.gates[gates[i]!]!;
      const given = Array.from(operands.subarray(operandStarts[i]!, operandStarts[i + 1]!));
      const qubits = kind === OPERATION.measure ? given.slice(0, 1) : given;
      waitForLast(qubits);
      if (kind === OPERATION.measure) mark(MEASURE, given[0]!);
      builder.operation(kind, kind === OPERATION.gate ? builder.gateIndex(gate) : 0, offsets[i], ends[i]);
      for (const operand of given) builder.operations.operand(operand);
      for (let at = paramStarts[i]!; at < paramStarts[i + 1]!; at++) builder.operations.param(params[at]!);
      if (kind === OPERATION.reset) mark(RESET, given[0]!);
      const isLayer =
        kind === OPERATION.gate ? gate.kind === "composite" || !isVirtual(gate) : kind !== OPERATION.barrier;
      if (isLayer) for (const qubit of qubits) layers.set(qubit, (layers.get(qubit) ?? 0) + 1);
    }
  }

  /** Lets qubits wait for the last of them; those that were not used before are in no layer yet. */
  function waitForLast(qubits: readonly number[]): void {
    const latest = Math.max(0, ...qubits.map(qubit => layers.get(qubit) ?? 0));
    for (const qubit of qubits) {
      for (let layer = layers.get(qubit) ?? latest; layer < latest; layer++) mark(IDLE, qubit);
      layers.set(qubit, latest);
    }
  }

  function mark(gate: typeof DELAY, qubit: number): void {
    if (named.has(gate.name)) builder.addOperation(OPERATION.gate, [qubit], builder.gateIndex(gate), [0]);
  }
}

/** Names of the same gate; in a rule each of them stands for all. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ...Object.entries({ CX: "cx", cnot: "cx", CNOT: "cx", toffoli: "ccx", ccnot: "ccx", fredkin: "cswap" }),
  ...Object.entries({ phase: "p", u1: "p", cphase: "cp", cu1: "cp", i: "id", hadamard: "h", not: "x" }),
  [DELAY.name, "delay"],
]);
const LIBRARY = [...STDGATES, ...QELIB1, ...NATIVE, ...QASM2_BUILT_IN, U3];
const GATES: ReadonlySet<string> = new Set(
  LIBRARY.flatMap(({ kind, name }) => (kind === "composite" ? [] : [name])),
);

const KNOWN = [...QASM3_GATES, ...LIBRARY, ...OTHER_GATES].map(({ name }) => name).concat("measure", "reset");

/** Returns the error in the name of a gate, `measure` or `reset`; nothing if programs can have it. */
export function gateNameProblem(name: string): string | undefined {
  if (KNOWN.includes(name) || name.includes("@")) return undefined;
  return [`there is no gate ${JSON.stringify(name)}.`, didYouMean(name, KNOWN)].filter(Boolean).join(" ");
}

/** Whether a name is that of a library's gate on one qubit, or of an operation on one. */
export const isOneQubit = (name: string): boolean =>
  NOISY_OPERATIONS.has(name) || LIBRARY.some(gate => gate.name === ruleName(name) && gate.numQubits === 1);

/** Returns the name under which rules look for a gate. */
export const ruleName = (name: string): string => ALIASES.get(name) ?? name;

/** Returns the names by which rules find a gate: its own, and that of the controlled gate that it is. */
export function namesOf({ name, symbol, controls }: ElementaryGate): string[] {
  const isControlled = controls.length > 0 && controls.every(Boolean);
  return [
    ruleName(name),
    ...(isControlled ? [ruleName("c".repeat(controls.length) + ruleName(symbol))] : []),
  ];
}

/** Returns the error in the name of a gate in a rule; nothing if noise can act there. */
export function ruleNameProblem(name: string): string | undefined {
  if (GATES.has(ruleName(name)) || NOISY_OPERATIONS.has(name) || name.includes(" @ ")) return undefined;
  if (name === "barrier") return "must not be barrier, which takes no time: give noise to delay or idle";
  const composite = LIBRARY.find(gate => gate.name === name);
  const steps = composite?.kind === "composite" ? composite.steps.map(({ gate }) => gate.name) : [];
  if (steps.length > 0)
    return `must not be ${name}, which has the noise of its parts: name ${[...new Set(steps)].join(", ")}`;
  const hint = didYouMean(name, [...GATES, ...NOISY_OPERATIONS]);
  return `must be a gate such as cx, or one of ${[...NOISY_OPERATIONS].join(", ")}, not ${JSON.stringify(name)}. ${hint ? `${hint} ` : ""}A gate that a program defines has the noise of its parts`;
}
