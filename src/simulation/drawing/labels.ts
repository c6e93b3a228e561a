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
/** Greek letters by their names. */
export const GREEK: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ alpha: "α", beta: "β", gamma: "γ", delta: "δ", epsilon: "ε", zeta: "ζ", eta: "η", theta: "θ" },
    ...{ kappa: "κ", lambda: "λ", mu: "μ", nu: "ν", xi: "ξ", pi: "π", rho: "ρ", sigma: "σ", tau: "τ" },
    ...{ phi: "φ", chi: "χ", psi: "ψ", omega: "ω" },
  }),
);
const MAX_LENGTH = 40;

/** A gate's name, such as `Rz`, and its parameters, such as `π/4` or `2θ, φ`; empty for a gate without any. */
interface GateLabel {
  readonly text: string;
  readonly detail: string;
}

/** Returns what is written on the box of a gate. */
export function gateLabel(gate: Gate, params: readonly (number | string)[]): GateLabel {
  if (gate.kind === "phase") return { text: "P", detail: paramsLabel(params) };
  const [, base = "", rest = ""] = /^([^†^]*)(.*)$/s.exec(gate.symbol) ?? [];
  const symbol =
    (gate.kind !== "composite" && SYMBOLS[base]) || (base.length === 1 ? base.toUpperCase() : base);
  return { text: shortened(symbol + rest), detail: paramsLabel(params) };
}

/** Returns parameters: numbers as angles, expressions with Greek letters for their names. */
export const paramsLabel = (params: readonly (number | string)[]): string =>
  shortened(params.map(paramLabel).join(", "));

/** A factor of one letter or digit before a Greek letter, with nothing between them but `*`. */
const PLAIN_PRODUCT = /(?<=\d|(?<![\p{L}\p{N}_])\p{L})\*(?=\p{Script=Greek})/gu;

function paramLabel(param: number | string): string {
  if (typeof param === "number") return angleLabel(param);
  return param
    .replace(/\b[a-z]+/g, word => GREEK.get(word.replace(/_$/, "")) ?? word)
    .replace(/ ?([*/]) ?/g, "$1")
    .replace(PLAIN_PRODUCT, "")
    .replaceAll("*", "·")
    .replaceAll("-", "−");
}

/** Returns the label of a loop or condition: `for i in [0:3]` as `for i in 0…3 ×4`. */
export function frameLabel(label: string): string {
  const [, head, from, step = "1", to] = /^(for .+ in )\[(-?\d+):(?:(-?\d+):)?(-?\d+)\]$/.exec(label) ?? [];
  if (head === undefined) return shortened(label.replace(/\w{25,}/g, shortenedName));
  const count = Math.max(0, Math.floor((Number(to) - Number(from)) / Number(step)) + 1);
  const by = step === "1" ? "" : ` by ${step}`;
  return shortened(`${head}${from}…${to}${by} ×${count}`.replaceAll("-", "−"));
}

const MAX_NAME = 24;

/** Returns a label of no more than 40 characters. */
export function shortened(label: string): string {
  if (label.length <= MAX_LENGTH) return label;
  const characters = charactersOf(label);
  return characters.length <= MAX_LENGTH ? label : `${characters.slice(0, MAX_LENGTH - 1).join("")}…`;
}

/** Returns a register's name of no more than 24 characters, shortened in its middle. */
export function shortenedName(name: string): string {
  const characters = name.length <= MAX_NAME ? [] : charactersOf(name.slice(0, 400));
  if (characters.length <= MAX_NAME) return name;
  const half = MAX_NAME / 2;
  return `${characters.slice(0, half).join("")}…${characters.slice(1 - half).join("")}`;
}

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
    return `${value < 0 ? "−" : ""}${count === 1 ? "" : count}π${denominator === 1 ? "" : `/${denominator}`}`;
  }
  return String(Number(value.toPrecision(4))).replace("-", "−");
}

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
/** Letters, Greek, mathematical symbols and box drawing: each takes one column. */
const NARROW = /^[\x20-\u02ff\u0370-\u03ff\u2010-\u27ff]*$/;

/** Returns the characters of a string as they are seen. */
export function charactersOf(text: string): readonly string[] {
  return NARROW.test(text)
    ? text.split("")
    : Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);
}

/** Returns the columns that a string takes in a monospaced font. Chinese, Japanese and Korean characters and pictures take two. */
export const textWidth = (text: string): number =>
  NARROW.test(text)
    ? text.length
    : charactersOf(text).reduce((sum, one) => sum + (WIDE.test(one) ? 2 : 1), 0);
