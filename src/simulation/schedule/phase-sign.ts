import { type Gate, stepParams } from "../circuit/gate.ts";

/** Parts of a matrix that count as zero. */
const ROUNDING = 1e-9;

/**
 * Returns 1 where a gate commutes with a phase on the qubit at a place of its list, -1 where it reverses the phase, as X
 * and Y do, and 0 where it does neither.
 */
export function phaseSign(
  { gate, params }: { readonly gate: Gate; readonly params: readonly number[] },
  place: number,
): number {
  if (gate.kind === "composite")
    return gate.steps.reduce((sign, step) => {
      const at = step.qubits.indexOf(place);
      if (sign === 0 || at < 0) return sign;
      return sign * phaseSign({ gate: step.gate, params: stepParams(step, params) }, at);
    }, 1);
  if (gate.diagonal || place < gate.controls.length) return 1;
  if (gate.kind !== "matrix") return 0;
  const m = gate.matrix(params, 0);
  const isZero = (...entries: number[]) => entries.every(at => Math.abs(m[at]!) < ROUNDING);
  if (isZero(2, 3, 4, 5)) return 1;
  return gate.controls.length === 0 && isZero(0, 1, 6, 7) ? -1 : 0;
}
