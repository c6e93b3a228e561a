import { formatPercent } from "../../display/format.ts";
import { outcomeChannel, percentAxis, round } from "../channels.ts";
import { neutral } from "../roles.ts";
import { type Sphere, sphereGrid, sphereRow, sphereView } from "../state/bloch-spheres.ts";
import { degreesOf, formatPhase, phaseColorChannel, phaseWheel, wheelRoom } from "../state/phase.ts";
import { basisState, possibleStates } from "../state/possible-states.ts";
import { blochVector, entanglementOf, qubitsOf } from "../state/reduced.ts";
import type { Stepper } from "./stepper.ts";

const MAX_BARS = 16;
/** Width of a sphere with the text below it. */
const SPHERE_WIDTH = 140;
const isCurrent = (current: string) => [{ filter: `datum.step == ${current}` }];

/** Draws the amplitudes after the current step: probabilities as bars, phases as colours. */
export function amplitudesView({ frames, qubits }: Stepper, total: number, current = "step") {
  const width = total - 2 * wheelRoom;
  const values = frames.flatMap(({ amplitudes, noisy }, step) =>
    (amplitudes ? barsOf(amplitudes) : noisy ? noisyBars(noisy.probabilities) : []).map(bar => ({
      step,
      ...bar,
    })),
  );
  const states = 2 ** qubits.length;
  const outcomes =
    states <= MAX_BARS
      ? Array.from({ length: states }, (_, index) => ket(index, qubits.length))
      : [...new Set(values.map(({ outcome }) => outcome))].sort();
  const isStable = outcomes.length <= MAX_BARS;
  const bars = Math.min(MAX_BARS, outcomes.length);
  return {
    width,
    height: 150,
    data: { values },
    transform: isCurrent(current),
    encoding: {
      x: {
        ...outcomeChannel(outcomes.slice(0, bars), {
          ...{ title: [qubits.length > 1 ? "state, last qubit on the left" : "state"], step: width / bars },
        }),
        ...(isStable ? { scale: { domain: outcomes } } : { sort: "x" }),
      },
      y: {
        ...{ field: "probability", type: "quantitative" },
        scale: { domain: [0, 1], nice: false },
        axis: { ...percentAxis, tickCount: 4 },
      },
      tooltip: [
        { field: "outcome", type: "nominal", title: "state" },
        { field: "text", type: "nominal", title: "probability" },
      ],
    },
    layer: [
      {
        mark: { type: "bar", width: Math.min(40, (0.7 * width) / Math.max(1, bars)), cornerRadiusEnd: 2 },
        encoding: { color: phaseColorChannel },
      },
      ...phaseWheel(width + wheelRoom, wheelRoom),
    ],
  };
}

const ket = (index: number, numQubits: number) => `|${basisState(index, numQubits)}⟩`;

function barsOf(amplitudes: ArrayLike<number>) {
  const numQubits = qubitsOf(amplitudes);
  return possibleStates(amplitudes)
    .slice(0, MAX_BARS)
    .map(({ index, probability }) => {
      const phase = Math.atan2(amplitudes[2 * index + 1]!, amplitudes[2 * index]!);
      return {
        outcome: ket(index, numQubits),
        probability: round(probability),
        phase: degreesOf(phase),
        text: `${formatPercent(probability)}, phase ${formatPhase(phase)}`,
      };
    });
}

/** Probabilities without phases, which a mixed state has not. */
const noisyBars = (probabilities: readonly number[]) =>
  probabilities
    .map((probability, index) => ({ index, probability }))
    .filter(({ probability }) => probability > 1e-6)
    .sort((a, b) => b.probability - a.probability)
    .slice(0, MAX_BARS)
    .map(({ index, probability }) => ({
      outcome: ket(index, Math.log2(probabilities.length)),
      probability: round(probability),
      phase: 0,
      text: formatPercent(probability),
    }));

/** Draws each qubit by itself after the current step; the arrow of an entangled one is shorter. */
export function spheresView({ frames, qubits }: Stepper, width: number) {
  const grid = sphereGrid(qubits.length, 92, Math.floor(width / SPHERE_WIDTH));
  const values = frames.flatMap(({ amplitudes, noisy }, step) =>
    amplitudes || noisy
      ? qubits.map((name, qubit) => {
          const vector = amplitudes ? blochVector(amplitudes, qubit) : noisy!.bloch[qubit]!;
          const sphere: Sphere = { qubit, ...vector, length: Math.hypot(vector.x, vector.y, vector.z) };
          const entanglement = amplitudes && entanglementOf(vector);
          const entangled =
            entanglement !== null && entanglement > 0.005 ? `entanglement ${entanglement.toFixed(2)}` : "";
          return { step, ...sphereRow(sphere, qubit, grid), qubit: name, entangled };
        })
      : [],
  );
  const view = sphereView(values, grid);
  const entangled = {
    mark: { type: "text", color: neutral, fontSize: 11, yOffset: grid.diameter / 2 + 62 },
    encoding: {
      x: { field: "cx", type: "quantitative", axis: null },
      y: { field: "cy", type: "quantitative", axis: null },
      text: { field: "entangled", type: "nominal" },
    },
  };
  return { ...view, layer: [...view.layer, entangled], transform: isCurrent("step") };
}
