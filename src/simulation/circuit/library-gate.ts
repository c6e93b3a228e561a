import { innerProduct } from "../linear-algebra/matrix.ts";
import type { Gate } from "./gate.ts";
import { GPHASE, QASM2_BUILT_IN, QELIB1, STDGATES, U3 } from "./standard.ts";
import { unitaryOf } from "./unitary.ts";

const LIBRARY: readonly Gate[] = [U3, GPHASE, ...STDGATES, ...QELIB1, ...QASM2_BUILT_IN];
const MAX_COMPARED_QUBITS = 3;

/**
 * Returns the name of the library's gate that a gate is: its own, one of the same name that a program defines to do the
 * same, or for a modified gate one that does the same, as `tdg` for `inv @ t`. Else undefined.
 */
export function libraryGateOf(gate: Gate, params: readonly number[]): string | undefined {
  if (LIBRARY.includes(gate)) return gate.name;
  if (gate.numQubits > MAX_COMPARED_QUBITS) return undefined;
  const isModified = gate.name.includes("@");
  const rotation = /^(?:inv @ )+(.*)$/.exec(gate.name)?.[1];
  const equal = LIBRARY.find(
    one =>
      one.numQubits === gate.numQubits &&
      one.numParams === gate.numParams &&
      (one.name === gate.name || (isModified && one.numParams === 0 && one.name !== "id")) &&
      areEqual(one, gate, params),
  );
  const inverse = LIBRARY.find(one => one.name === rotation && one.numParams === 1 && gate.numParams === 1);
  return equal?.name ?? (gate.kind === "matrix" ? inverse?.name : undefined);
}

function areEqual(a: Gate, b: Gate, params: readonly number[]): boolean {
  const [x, y] = [unitaryOf(a, params), unitaryOf(b, params)];
  return Math.abs(Math.hypot(...innerProduct(x, y)) - 2 ** a.numQubits) < 1e-9;
}
