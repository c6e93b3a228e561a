import { formatPercent } from "../../display/format.ts";
import { outcomeChannel, percentAxis, round } from "../channels.ts";
import { type Sphere, sphereGrid, sphereRow, sphereView } from "../state/bloch-spheres.ts";
import { degreesOf, formatPhase, phaseColorChannel } from "../state/phase.ts";
import { blochVector } from "../state/reduced.ts";
import type { Stepper } from "./stepper.ts";

const MAX_BARS = 16;
const MIN_PROBABILITY = 1e-9;
const MAX_SPHERES_ACROSS = 5;
const isCurrent = [{ filter: "datum.step == step" }];

/** Draws the amplitudes after the current step: probabilities as bars, phases as colours. */
export function amplitudesView({ frames, qubits }: Stepper, width: number) {
  const values = frames.flatMap(({ amplitudes }, step) =>
    amplitudes ? barsOf(amplitudes).map(bar => ({ step, ...bar })) : [],
  );
  const seen = values.map(({ outcome }) => outcome);
  const all = 2 ** qubits.length <= MAX_BARS ? barLabels(qubits.length) : seen;
  const outcomes = [...new Set(all)].sort();
  const isStable = outcomes.length <= MAX_BARS;
  const bars = Math.min(MAX_BARS, outcomes.length);
  return {
    width,
    height: 150,
    data: { values },
    transform: isCurrent,
    mark: { type: "bar", width: Math.min(40, (0.7 * width) / Math.max(1, bars)), cornerRadiusEnd: 2 },
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
      color: phaseColorChannel,
      tooltip: [
        { field: "outcome", type: "nominal", title: "state" },
        { field: "text", type: "nominal", title: "probability" },
      ],
    },
  };
}

const ket = (index: number, width: number) => `|${width > 0 ? index.toString(2).padStart(width, "0") : ""}⟩`;

const barLabels = (numQubits: number) =>
  Array.from({ length: 2 ** numQubits }, (_, index) => ket(index, numQubits));

function barsOf(amplitudes: ArrayLike<number>) {
  const width = Math.log2(amplitudes.length / 2);
  return Array.from({ length: amplitudes.length / 2 }, (_, index) => {
    const [re, im] = [amplitudes[2 * index]!, amplitudes[2 * index + 1]!];
    return { index, phase: Math.atan2(im, re), probability: re * re + im * im };
  })
    .filter(({ probability }) => probability > MIN_PROBABILITY)
    .sort((one, other) => other.probability - one.probability || one.index - other.index)
    .slice(0, MAX_BARS)
    .map(({ index, phase, probability }) => ({
      outcome: ket(index, width),
      probability: round(probability),
      phase: degreesOf(phase),
      text: `${formatPercent(probability)}, phase ${formatPhase(phase)}`,
    }));
}

/** Draws each qubit by itself after the current step; the arrow of an entangled one is shorter. */
export function spheresView({ frames, qubits }: Stepper) {
  const grid = sphereGrid(qubits.length, 92, MAX_SPHERES_ACROSS);
  const values = frames.flatMap(({ amplitudes }, step) =>
    amplitudes
      ? qubits.map((name, qubit) => {
          const vector = blochVector(amplitudes, qubit);
          const sphere: Sphere = { qubit, ...vector, length: Math.hypot(vector.x, vector.y, vector.z) };
          return { step, ...sphereRow(sphere, qubit, grid), qubit: name };
        })
      : [],
  );
  return { ...sphereView(values, grid), transform: isCurrent };
}
