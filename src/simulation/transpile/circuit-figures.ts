import type { Circuit } from "../circuit/circuit.ts";
import { visitOperations } from "../circuit/metrics.ts";
import type { Target } from "./target.ts";

/** What a transpiled circuit comes to; the body of a loop counts once. */
export interface CircuitFigures {
  readonly depth: number;
  readonly twoQubitGates: number;
  /** The probability that no gate and no measurement errs, by the errors of the calibration; null without one. */
  readonly expectedFidelity: number | null;
}

/** Returns the figures of a circuit of native gates. */
export function circuitFigures(circuit: Circuit, target: Target): CircuitFigures {
  let twoQubitGates = 0;
  let logarithm = 0;
  visitOperations(circuit.parts, (name, qubits) => {
    const [a = 0, b = 0] = Array.from(qubits);
    if (name === "barrier" || name === "reset") return;
    const known = target.calibration?.qubits[a]?.gateError[name];
    let error = known ?? target.pulseErrors[a]!;
    if (name === "measure") error = target.readoutErrors[a]!;
    else if (qubits.length === 2) {
      twoQubitGates++;
      error = target.couplingOf(a, b)?.error ?? 1;
    }
    logarithm += Math.log1p(-Math.min(error, 1));
  });
  return {
    depth: circuit.depth(),
    twoQubitGates,
    expectedFidelity: target.calibration ? Math.exp(logarithm) : null,
  };
}
