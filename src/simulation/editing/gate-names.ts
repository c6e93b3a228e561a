import type { Expression } from "../circuit/expression.ts";
import type { Gate } from "../circuit/gate.ts";
import { modificationOf, modify } from "../circuit/modifiers.ts";
import { GPHASE, QELIB1, STDGATES, U3 } from "../circuit/standard.ts";
import { FLOAT } from "../circuit/values/types.ts";
import type { StraightBarrier, StraightCall } from "./straight-line.ts";

const LIBRARY: ReadonlyMap<string, Gate> = new Map(
  [...QELIB1.filter(({ name }) => ["rxx", "rzz", "sxdg"].includes(name)), ...STDGATES, U3, GPHASE].map(
    gate => [gate.name, gate],
  ),
);

/** Returns a gate that OpenQASM 3 and its library name, or undefined. */
export const namedGate = (name: string): Gate | undefined => LIBRARY.get(name);

/** Gates that undo themselves. */
const SELF_INVERSE = new Set("x y z h id cx cy cz ch CX swap cswap ccx".split(" "));
/** Gates that the other one undoes. */
const PAIRS = new Map(
  ["s sdg", "t tdg", "sx sxdg"]
    .map(pair => pair.split(" "))
    .flatMap(([a, b]) => [
      [a!, b!],
      [b!, a!],
    ]),
);
/** Gates with one angle, which adds up if they are repeated. */
const ROTATIONS = new Set("p phase u1 rx ry rz cp cphase crx cry crz rxx rzz gphase".split(" "));
/** Gates with one more control. */
const CONTROLLED = new Map(
  "x cx, y cy, z cz, h ch, p cp, phase cp, u1 cp, rx crx, ry cry, rz crz, cx ccx, CX ccx, swap cswap, gphase p"
    .split(", ")
    .map(pair => pair.split(" ") as [string, string]),
);

type Call = StraightCall | StraightBarrier;

/** Returns the name of a gate of the library; undefined for one that only has the same name. */
const nameOf = (gate: Gate): string | undefined => (LIBRARY.get(gate.name) === gate ? gate.name : undefined);

/** Returns the call that undoes another one, by a name of the library where there is one. */
export function inverseCall(call: Call): Call {
  if (call.kind === "barrier") return call;
  const { gate, params } = call;
  const name = nameOf(gate) ?? "";
  const made = modificationOf(gate);
  if (SELF_INVERSE.has(name)) return call;
  if (PAIRS.has(name)) return { ...call, gate: LIBRARY.get(PAIRS.get(name)!)! };
  if (ROTATIONS.has(name)) return { ...call, params: params.map(negative) };
  if (name === "U") return { ...call, params: [params[0]!, params[2]!, params[1]!].map(negative) };
  if (made?.modifier.kind === "inv") return { ...call, gate: made.gate };
  return { ...call, gate: modify(gate, { kind: "inv" }) };
}

/** Returns a call that has one more control, which comes first. */
export function controlledCall(call: Call, control: number): Call {
  if (call.kind === "barrier") return call;
  const named = LIBRARY.get(CONTROLLED.get(nameOf(call.gate) ?? "") ?? "");
  const gate = named ?? modify(call.gate, { kind: "ctrl", count: 1 });
  return { ...call, gate, qubits: [control, ...call.qubits] };
}

/** Returns a rotation that is applied a number of times; undefined for other gates. */
export function poweredCall(call: Call, times: number): Call | undefined {
  if (call.kind === "barrier" || !ROTATIONS.has(nameOf(call.gate) ?? "")) return undefined;
  const [angle] = call.params;
  return typeof angle === "number" ? { ...call, params: [angle * times] } : undefined;
}

function negative(param: number | Expression): number | Expression {
  if (typeof param === "number") return param === 0 ? 0 : -param;
  return param.kind === "unary" && param.operator === "-"
    ? param.operand
    : { kind: "unary", operator: "-", type: FLOAT, operand: param };
}

/** Returns a gate with a number of controls, by a name of the library where there is one. */
export function controlledGate(gate: Gate, count: number): Gate {
  const more = [gate];
  while (more.length <= count) {
    const next = LIBRARY.get(CONTROLLED.get(nameOf(more.at(-1)!) ?? "") ?? "");
    if (!next) break;
    more.push(next);
  }
  return more[count] ?? (count === 0 ? gate : modify(gate, { kind: "ctrl", count }));
}
