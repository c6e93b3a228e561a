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
const DENOMINATORS = [...Array.from({ length: 64 }, (_, index) => index + 1), 128];
const GREEK = new Map(
  Object.entries({
    ...{ alpha: "α", beta: "β", gamma: "γ", delta: "δ", epsilon: "ε", zeta: "ζ", eta: "η", theta: "θ" },
    ...{ kappa: "κ", lambda: "λ", mu: "μ", nu: "ν", xi: "ξ", pi: "π", rho: "ρ", sigma: "σ", tau: "τ" },
    ...{ phi: "φ", chi: "χ", psi: "ψ", omega: "ω" },
  }),
);
const MAX_LENGTH = 40;

/** Returns the label of a gate with its parameters, such as `Rz(π/4)` or `Ry(2*θ)`. */
export function gateLabel(gate: Gate, params: readonly (number | string)[]): string {
  const [, base = "", rest = ""] = /^([^†^]*)(.*)$/s.exec(gate.symbol) ?? [];
  const symbol =
    (gate.kind !== "composite" && SYMBOLS[base]) || (base.length === 1 ? base.toUpperCase() : base);
  return shortened(`${symbol}${rest}${params.length > 0 ? `(${params.map(paramLabel).join(", ")})` : ""}`);
}

/** Returns a parameter: a number as an angle, or else an expression with Greek letters for their names. */
export function paramLabel(param: number | string): string {
  if (typeof param === "number") return angleLabel(param);
  return param
    .replace(/\b[a-z]+/g, word => GREEK.get(word.replace(/_$/, "")) ?? word)
    .replace(/ ?([*/]) ?/g, "$1");
}

/** Maximum characters of a register's name beside a wire. */
const MAX_NAME = 24;

/** Returns a label of no more than 40 characters. */
export function shortened(label: string): string {
  if (label.length <= MAX_LENGTH) return label;
  const characters = charactersOf(label);
  return characters.length <= MAX_LENGTH ? label : `${characters.slice(0, MAX_LENGTH - 1).join("")}…`;
}

/** Returns a register's name of no more than 24 characters, shortened in its middle, with the whole index. */
export function shortenedName(name: string, index = ""): string {
  const characters = name.length <= MAX_NAME ? [] : charactersOf(name);
  if (characters.length <= MAX_NAME) return name + index;
  const half = MAX_NAME / 2;
  return `${characters.slice(0, half).join("")}…${characters.slice(1 - half).join("")}${index}`;
}

const charactersOf = (text: string): string[] =>
  Array.from(new Intl.Segmenter().segment(text.slice(0, 400)), ({ segment }) => segment);

/** Returns a number as a multiple of π where it is one, else with four digits. */
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
