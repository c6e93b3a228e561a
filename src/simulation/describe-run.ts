import type { Simulator } from "./execution/simulator.ts";
import type { Tally } from "./execution/tally.ts";
import type { TruncationReport } from "./method-name.ts";

/** A run of shots under noise that has not ended. */
interface NoisyRunState {
  readonly simulator: Simulator;
  readonly tally: Pick<Tally, "shotsDone">;
  readonly shots: number;
  readonly truncation: TruncationReport | undefined;
}

/** Says how far a run under noise is, as the end of a sentence. */
export function describeNoisyRun({ simulator, tally, shots, truncation }: NoisyRunState): string {
  const bonds = truncation ? `, whose bonds have at most ${countOfValues(truncation)}` : "";
  const times = simulator.averagesNoise ? "" : "again for each pattern of errors, ";
  return `with ${tally.shotsDone.toLocaleString("en-US")} of ${shots.toLocaleString("en-US")} shots done: it runs ${times}as a ${simulator.name}${bonds}`;
}

/** Says in a sentence how large the bonds of a matrix product state were, and what was left out. */
export function describeTruncation(truncation: TruncationReport): string {
  const { fidelity } = truncation;
  const bonds = `Bonds have at most ${countOfValues(truncation)}`;
  return fidelity < 1
    ? `${bonds}; others were left out. The state is approximate: estimated fidelity ${Number(fidelity.toPrecision(6))}.`
    : `${bonds}, and none was left out.`;
}

const countOfValues = ({ bondDimension }: TruncationReport): string =>
  `${bondDimension.toLocaleString("en-US")} Schmidt value${bondDimension === 1 ? "" : "s"}`;
