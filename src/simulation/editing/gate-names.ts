import type { Expression } from "../circuit/expression.ts";
import type { Gate } from "../circuit/gate.ts";
import { modificationOf, modify } from "../circuit/modifiers.ts";
import { factsOf, QASM3_GATES, U3 } from "../circuit/standard.ts";
import { FLOAT } from "../circuit/values/types.ts";
import type { StraightBarrier, StraightCall } from "./straight-line.ts";

const LIBRARY: ReadonlyMap<string, Gate> = new Map(QASM3_GATES.map(gate => [gate.name, gate]));

export const namedGate = (name: string): Gate | undefined => LIBRARY.get(name);

type Call = StraightCall | StraightBarrier;

/** Returns the call that undoes another one, by a name of the library if there is one. */
export function inverseCall(call: Call): Call {
  if (call.kind === "barrier") return call;
  const { gate, params } = call;
  const { inverse } = factsOf(gate);
  const made = modificationOf(gate);
  if (inverse === "self") return call;
  if (inverse === "negated") return { ...call, params: params.map(negative) };
  if (inverse) return { ...call, gate: namedGate(inverse)! };
  if (gate === U3) return { ...call, params: [params[0]!, params[2]!, params[1]!].map(negative) };
  if (made?.modifier.kind === "inv") return { ...call, gate: made.gate };
  return { ...call, gate: modify(gate, { kind: "inv" }) };
}

/** Returns a call that has one more control, which comes first. */
export function controlledCall(call: Call, control: number): Call {
  if (call.kind === "barrier") return call;
  return { ...call, gate: controlledGate(call.gate, 1), qubits: [control, ...call.qubits] };
}

/** Returns a rotation that is applied a number of times; undefined for other gates. */
export function poweredCall(call: Call, times: number): Call | undefined {
  if (call.kind === "barrier" || factsOf(call.gate).inverse !== "negated") return undefined;
  const [angle] = call.params;
  return typeof angle === "number" ? { ...call, params: [angle * times] } : undefined;
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
