import { CircuitBuilder } from "../circuit/builder.ts";
import type { Circuit, CircuitParts } from "../circuit/circuit.ts";
import { constant } from "../circuit/expression.ts";
import { OPERATION } from "../circuit/operations.ts";
import { bodiesOf, type Statement, type StatementList, withBodies } from "../circuit/statement.ts";
import { type DELAY, marker, withTimingMarkers } from "../circuit/timing-markers.ts";
import { FLOAT } from "../circuit/values/types.ts";
import type { NoiseRules } from "../noise-rules.ts";
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
  new MarkerWriter(parts, builder, named).add(parts.body);
  return builder.finish();
}

/** Copies statements with their markers. */
class MarkerWriter {
  readonly #parts: CircuitParts;
  readonly #builder: CircuitBuilder;
  readonly #named: ReadonlySet<string>;
  /** For each qubit in use, the number of layers in which it has been or waited. */
  readonly #layers = new Map<number, number>();

  constructor(parts: CircuitParts, builder: CircuitBuilder, named: ReadonlySet<string>) {
    this.#parts = parts;
    this.#builder = builder;
    this.#named = named;
  }

  add(statements: StatementList): void {
    statements.forEach((statement, i) => {
      if (i > 0) this.#await([...this.#layers.keys()]);
      this.#statement(statement);
    });
  }

  #statement(statement: Statement): void {
    const builder = this.#builder;
    if (statement.kind === "operations") this.#run(statement);
    else if (statement.kind === "gate")
      builder.add({ ...statement, gate: builder.gateIndex(this.#parts.gates[statement.gate]!) });
    else if (statement.kind === "measure" || statement.kind === "reset") {
      const mark = (gate: typeof DELAY): Statement => ({
        ...{ kind: "gate", gate: builder.gateIndex(gate), name: gate.name, label: gate.name },
        ...{ args: [], modifiers: [], params: [constant(FLOAT, 0)], qubits: [statement.qubits] },
      });
      if (statement.kind === "measure" && this.#named.has("measure")) builder.add(mark(MEASURE));
      builder.add(statement);
      if (statement.kind === "reset" && this.#named.has("reset")) builder.add(mark(RESET));
    } else {
      const collect = (body: StatementList) =>
        builder.collect(() => {
          this.add(body);
          this.#await([...this.#layers.keys()]);
        });
      builder.add(withBodies(statement, bodiesOf(statement).map(collect)));
    }
  }

  #run({ start, end }: Statement & { kind: "operations" }): void {
    const { operations, gates: all } = this.#parts;
    const { kinds, gates, operands, operandStarts, params, paramStarts, offsets, ends } = operations;
    const builder = this.#builder;
    for (let i = start; i < end; i++) {
      const kind = kinds[i]!;
      const gate = all[gates[i]!]!;
      const given = Array.from(operands.subarray(operandStarts[i]!, operandStarts[i + 1]!));
      const qubits = kind === OPERATION.measure ? given.slice(0, 1) : given;
      this.#await(qubits);
      if (kind === OPERATION.measure) this.#mark(MEASURE, given[0]!);
      builder.operation(kind, kind === OPERATION.gate ? builder.gateIndex(gate) : 0, offsets[i], ends[i]);
      for (const operand of given) builder.operations.operand(operand);
      for (let at = paramStarts[i]!; at < paramStarts[i + 1]!; at++) builder.operations.param(params[at]!);
      if (kind === OPERATION.reset) this.#mark(RESET, given[0]!);
      const isLayer =
        kind === OPERATION.gate ? gate.kind === "composite" || !isVirtual(gate) : kind !== OPERATION.barrier;
      if (isLayer) for (const qubit of qubits) this.#layers.set(qubit, (this.#layers.get(qubit) ?? 0) + 1);
    }
  }

  /** Lets qubits wait for the last of them; those that were not used before are in no layer yet. */
  #await(qubits: readonly number[]): void {
    const latest = Math.max(0, ...qubits.map(qubit => this.#layers.get(qubit) ?? 0));
    for (const qubit of qubits) {
      for (let layer = this.#layers.get(qubit) ?? latest; layer < latest; layer++) this.#mark(IDLE, qubit);
      this.#layers.set(qubit, latest);
    }
  }

  #mark(gate: typeof DELAY, qubit: number): void {
    if (!this.#named.has(gate.name)) return;
    this.#builder.operation(OPERATION.gate, this.#builder.gateIndex(gate));
    this.#builder.operations.operand(qubit);
    this.#builder.operations.param(0);
  }
}
