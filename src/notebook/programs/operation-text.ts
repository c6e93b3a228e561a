import { basisState, formatPhase } from "../../charts/index.ts";
import { formatPercent } from "../../display/index.ts";
import type { Circuit, ExecutedStep } from "../../simulation/index.ts";

/** Writes a step as OpenQASM, with the values that its operands and parameters had. */
export function operationText({ registers }: Circuit, step: ExecutedStep): string {
  const { kind, name, params, qubits, bit } = step;
  if (kind === "start") return "start";
  const operands = qubits.map(qubit => elementName(registers.quantum, qubit, "size")).join(", ");
  if (kind === "measure") {
    const target = bit === null ? "" : `${elementName(registers.classical, bit, "width")} = `;
    return `${target}measure ${operands}`;
  }
  const values = params.length > 0 ? `(${params.map(value => Number(value.toPrecision(6))).join(", ")})` : "";
  return `${name}${values} ${operands}`;
}

/** Writes what a measurement found, and how likely that was; nothing for another step. */
export const outcomeText = ({
  outcome,
  probability,
  readAs,
}: Pick<ExecutedStep, "outcome" | "probability" | "readAs">): string =>
  outcome === null
    ? ""
    : `${outcome} of ${formatPercent(probability)}${readAs === null ? "" : `, read as ${readAs}`}`;

/** Returns the bit string of each classical register, its last bit on the left. */
export function registerValues({ registers }: Circuit, bits: Uint8Array): Record<string, string> {
  return Object.fromEntries(
    registers.classical.map(({ name, offset, width }) => [
      name,
      [...bits.subarray(offset, offset + width)].reverse().join(""),
    ]),
  );
}

/** Returns the names of the qubits of a circuit. */
export const qubitNames = ({ numQubits, registers }: Circuit): string[] =>
  Array.from({ length: numQubits }, (_, qubit) => elementName(registers.quantum, qubit, "size"));

function elementName<Size extends string>(
  registers: readonly ({ readonly name: string; readonly offset: number } & {
    readonly [S in Size]: number;
  })[],
  place: number,
  size: Size,
): string {
  const register = registers.find(one => place >= one.offset && place < one.offset + one[size]);
  return register ? `${register.name}[${place - register.offset}]` : `[${place}]`;
}

const MAX_TERMS = 4;
const NEGLIGIBLE = 5e-4;

/**
 * Writes amplitudes as kets in order, such as `0.707|00⟩ + 0.707i|11⟩`; phases that are not multiples of π/2 as
 * `0.5e^(−iπ/4)|01⟩`. Terms after the fourth are counted.
 */
export function stateText(amplitudes: ArrayLike<number>): string {
  const count = amplitudes.length / 2;
  const numQubits = Math.log2(count);
  const terms: string[] = [];
  for (let index = 0; index < count; index++) {
    const [re, im] = [amplitudes[2 * index]!, amplitudes[2 * index + 1]!];
    if (Math.hypot(re, im) < NEGLIGIBLE) continue;
    terms.push(`${coefficient(re, im)}|${basisState(index, numQubits)}⟩`);
  }
  const [first = "0", ...others] = terms.slice(0, MAX_TERMS);
  const sum = others.reduce(
    (text, term) => (term.startsWith("−") ? `${text} − ${term.slice(1)}` : `${text} + ${term}`),
    first,
  );
  return terms.length > MAX_TERMS ? `${sum} + ${terms.length - MAX_TERMS} more` : sum;
}

function coefficient(re: number, im: number): string {
  const isReal = Math.abs(im) < NEGLIGIBLE;
  const isImaginary = Math.abs(re) < NEGLIGIBLE;
  const size = Math.hypot(re, im);
  const length = Math.abs(size - 1) < NEGLIGIBLE ? "" : size.toFixed(3).replace(/\.?0+$/, "");
  if (isReal || isImaginary) return `${re + im < 0 ? "−" : ""}${length}${isReal ? "" : "i"}`;
  const phase = formatPhase(Math.atan2(im, re));
  return `${length}e^(${phase.startsWith("−") ? `−i${phase.slice(1)}` : `i${phase}`})`;
}
