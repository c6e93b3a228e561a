import type { Expression } from "../circuit/expression.ts";
import type { Gate } from "../circuit/gate.ts";
import { modificationOf, modify } from "../circuit/modifiers.ts";
import type { Modifier } from "../circuit/power.ts";
import { factsOf, QASM3_GATES, U3 } from "../circuit/standard.ts";
import { FLOAT } from "../circuit/values/types.ts";
import type { Call } from "./calls.ts";

const LIBRARY: ReadonlyMap<string, Gate> = new Map(QASM3_GATES.map(gate => [gate.name, gate]));

/** Names of the gates of OpenQASM 3. */
export const gateNames: readonly string[] = [...LIBRARY.keys()];

export const namedGate = (name: string): Gate | undefined => LIBRARY.get(name);

/** Returns a call, its qubits aside, that is inverted or has more controls: by a name of the library if there is one. */
export function modifiedCall(call: Omit<Call, "qubits">, modifier: Modifier): Omit<Call, "qubits"> {
  const { gate, params } = call;
  if (modifier.kind === "ctrl") return { gate: controlledGate(gate, modifier.count), params };
  const { inverse } = factsOf(gate);
  if (inverse === "self") return call;
  if (inverse === "negated") return { gate, params: params.map(negative) };
  if (inverse) return { gate: namedGate(inverse)!, params };
  if (gate === U3) return { gate, params: [params[0]!, params[2]!, params[1]!].map(negative) };
  const made = modificationOf(gate);
  if (made?.modifier.kind === "inv") return { gate: made.gate, params };
  if (made?.modifier.kind !== "ctrl") return { gate: modify(gate, modifier), params };
  const inner = modifiedCall({ gate: made.gate, params }, modifier);
  return { gate: modify(inner.gate, made.modifier), params: inner.params };
}

/** Returns a rotation that is applied a number of times; undefined for other gates. */
export function poweredCall(call: Call, times: number): Call | undefined {
  const [angle] = call.params;
  const isRotation = factsOf(call.gate).inverse === "negated" && typeof angle === "number";
  return isRotation ? { ...call, params: [angle * times] } : undefined;
}

function negative(param: number | Expression): number | Expression {
  if (typeof param === "number") return param === 0 ? 0 : -param;
  return param.kind === "unary" && param.operator === "-"
    ? param.operand
    : { kind: "unary", operator: "-", type: FLOAT, operand: param };
}

/** Returns a gate with a number of controls, by a name of the library if there is one. */
export function controlledGate(gate: Gate, count: number): Gate {
  let named: Gate | undefined = gate;
  for (let i = 0; named && i < count; i++) named = namedGate(factsOf(named).controlled ?? "");
  return named ?? modify(gate, { kind: "ctrl", count });
}
