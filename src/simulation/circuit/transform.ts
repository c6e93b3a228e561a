import { CircuitBuilder } from "./builder.ts";
import type { Circuit } from "./circuit.ts";
import type { CircuitParts } from "./circuit-parts.ts";
import type { Gate } from "./gate.ts";
import { modify } from "./modifiers.ts";
import { OPERATION } from "./operations.ts";
import { factsOf, NATIVE, standardGate } from "./standard.ts";
import { bodiesOf, type Statement, type StatementList, withBodies } from "./statement.ts";

export interface GateCall {
  readonly gate: Gate;
  readonly params: readonly number[];
  readonly qubits: readonly number[];
}

/** Returns calls that undo another but for a phase, of gates that the same device has, if there are any. */
export function inverseOf(call: GateCall): readonly GateCall[] {
  const { gate, params, qubits } = call;
  const [a = 0, b = 0, c = 0] = params;
  const { inverse } = factsOf(gate);
  if (inverse === "self") return [call];
  if (inverse === "negated") return [{ ...call, params: [-a] }];
  if (gate === standardGate("sx")) {
    const half = { gate: standardGate("rz"), params: [Math.PI], qubits };
    return [half, call, half];
  }
  if (NATIVE.includes(gate)) {
    if (gate.name === "prx") return [{ ...call, params: [-a, b] }];
    if (gate.name === "gpi2") return [{ ...call, params: [a + Math.PI] }];
    if (gate.name === "ms") return [{ ...call, params: [a, b, -c] }];
  }
  return [{ ...call, gate: modify(gate, { kind: "inv" }) }];
}

export interface Replacement {
  /** Returns the replacement of a call of known operands, in order; the same call keeps it, and one without a gate is a barrier. */
  known(call: GateCall): readonly (GateCall | { readonly gate?: undefined; qubits: readonly number[] })[];
  /** Returns the replacement of a call whose operands are computed. Default: the same. */
  computed?(call: Statement & { kind: "gate" }, gate: Gate): readonly (Statement & { kind: "gate" })[];
  /** Whether an operation, by its place among all, is left out. Default: none. */
  drops?(operation: number): boolean;
  end?(builder: CircuitBuilder): void;
}

/**
 * Returns a circuit in which gates are replaced, in the bodies of loops, branches and subroutines too, each where it
 * stands: a loop stays a loop. What is added has the place in the source of what it takes the place of.
 */
export function replaceGates(circuit: Circuit, replacement: Replacement): Circuit {
  const { parts } = circuit;
  const builder = CircuitBuilder.like(parts);
  addBody(parts.body, parts, builder, replacement);
  replacement.end?.(builder);
  return builder.finish();
}

/**
 * Folds gates for zero-noise extrapolation: each gate `g` that passes a test is followed by `g⁻¹ g`, repeated `times` on
 * average. Without noise, the circuit stays the same up to a phase; with noise, its errors grow with its length.
 */
export function foldGates(
  circuit: Circuit,
  times: number,
  isFolded: (gate: Gate) => boolean = () => true,
): Circuit {
  let gates = 0;
  const folded = <T>(call: T, inverse: readonly T[]): T[] => {
    const more = Math.floor((gates + 1) * times) - Math.floor(gates * times);
    gates += 1;
    return [call, ...Array.from({ length: more }, () => [...inverse, call]).flat()];
  };
  return replaceGates(circuit, {
    known: call => (isFolded(call.gate) ? folded(call, inverseOf(call)) : [call]),
    computed: (call, gate) => (isFolded(gate) ? folded(call, [inverseOfComputed(call)]) : [call]),
  });
}

const inverseOfComputed = (call: Statement & { kind: "gate" }): Statement & { kind: "gate" } => ({
  ...call,
  name: `inv @ ${call.name}`,
  label: `inv @ ${call.label}`,
  modifiers: [...call.modifiers, { kind: "inv" }],
});

function addBody(
  statements: StatementList,
  parts: CircuitParts,
  builder: CircuitBuilder,
  replacement: Replacement,
): void {
  for (const statement of statements) {
    if (statement.kind === "operations") addRun(statement, parts, builder, replacement);
    else if (statement.kind === "gate") {
      const gate = parts.gates[statement.gate]!;
      for (const call of replacement.computed?.(statement, gate) ?? [statement])
        builder.add({ ...call, gate: builder.gateIndex(gate) });
    } else
      builder.add(
        withBodies(
          statement,
          bodiesOf(statement).map(body => builder.collect(() => addBody(body, parts, builder, replacement))),
        ),
      );
  }
}

function addRun(
  { start, end }: Statement & { kind: "operations" },
  { operations, gates: all }: CircuitParts,
  builder: CircuitBuilder,
  { known, drops }: Replacement,
): void {
  const { kinds, gates, operands, operandStarts, params, paramStarts, offsets, ends } = operations;
  for (let i = start; i < end; i++) {
    if (drops?.(i)) continue;
    const qubits = Array.from(operands.subarray(operandStarts[i]!, operandStarts[i + 1]!));
    builder.range = [offsets[i]!, ends[i]!];
    if (kinds[i] !== OPERATION.gate) {
      builder.addOperation(kinds[i]!, qubits);
      continue;
    }
    const given = Array.from(params.subarray(paramStarts[i]!, paramStarts[i + 1]!));
    for (const call of known({ gate: all[gates[i]!]!, params: given, qubits }))
      if (call.gate)
        builder.addOperation(OPERATION.gate, call.qubits, builder.gateIndex(call.gate), call.params);
      else builder.addOperation(OPERATION.barrier, call.qubits);
  }
  builder.range = undefined;
}
