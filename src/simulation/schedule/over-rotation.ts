import type { Gate } from "../circuit/gate.ts";
import { modify } from "../circuit/modifiers.ts";

const known = new WeakMap<Gate, Map<number, Gate>>();

/** Returns a gate that rotates too far by a part: its power by 1 and that part. */
export function overRotated(gate: Gate, part: number): Gate {
  let powers = known.get(gate);
  if (!powers) {
    powers = new Map();
    known.set(gate, powers);
  }
  let power = powers.get(part);
  if (!power) {
    power = modify(gate, { kind: "pow", exponent: 1 + part });
    powers.set(part, power);
  }
  return power;
}
