import type { Gate } from "../circuit/gate.ts";

const SYMBOLS: Record<string, string> = {
  id: "I",
  sdg: "S†",
  tdg: "T†",
  sx: "√X",
  sxdg: "√X†",
  rx: "Rx",
  ry: "Ry",
  rz: "Rz",
};
const DENOMINATORS = [1, 2, 3, 4, 5, 6, 8, 12, 16, 32, 64, 128];

/** Gives the label of a gate with its parameters, such as `Rz(π/4)`. */
export function gateLabel(gate: Gate, params: readonly number[]): string {
  const [, base = "", rest = ""] = /^([^†^]*)(.*)$/s.exec(gate.symbol) ?? [];
  const symbol =
    (gate.kind !== "composite" && SYMBOLS[base]) || (base.length === 1 ? base.toUpperCase() : base);
  return `${symbol}${rest}${params.length > 0 ? `(${params.map(angleLabel).join(", ")})` : ""}`;
}

/** Gives a number as a multiple of π where it is one, else with four digits. */
function angleLabel(value: number): string {
  if (value === 0) return "0";
  for (const denominator of DENOMINATORS) {
    const numerator = (value / Math.PI) * denominator;
    if (
      Math.abs(numerator - Math.round(numerator)) > 1e-9 ||
      Math.abs(numerator) > 999 ||
      Math.round(numerator) === 0
    )
      continue;
    const count = Math.abs(Math.round(numerator));
    return `${value < 0 ? "-" : ""}${count === 1 ? "" : count}π${denominator === 1 ? "" : `/${denominator}`}`;
  }
  return String(Number(value.toPrecision(4)));
}
