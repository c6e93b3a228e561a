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

/** Returns what the qubits of a circuit are called. */
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
