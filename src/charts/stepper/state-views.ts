import { formatPercent, present } from "../../display/index.ts";
import { inline, mark, note, only, pixels, round, tips } from "../channels.ts";
import { inked, neutral } from "../roles.ts";
import { type Sphere, sphereGrid, sphereRow, sphereView } from "../state/bloch-spheres.ts";
import { degreesOf, dialMarks, formatPhase, phaseColorChannel } from "../state/phase.ts";
import { basisState, blochVector, entanglementOf, possibleStates, qubitsOf } from "../state/reduced.ts";
import type { Stepper, StepperFrame } from "./execution.ts";

const MAX_ROWS = 12;
const [ROW, BAR, HEADER] = [23, 15, 28];
const MAX_DIAMETER = 104;
const LETTER = 8.4;

const isCurrent = (current: string) => `datum.step == ${current}`;

/** Returns the likeliest states after each step; a mixed state has no phases. */
export function stateRows({ frames }: Stepper) {
  return frames.flatMap((frame, step) => {
    const all = statesOf(frame);
    const shown = all.slice(0, MAX_ROWS).sort((one, other) => (one.outcome < other.outcome ? -1 : 1));
    return shown.map((row, at) => ({ step, row: at, ...row, more: all.length - shown.length }));
  });
}

export type StateRow = ReturnType<typeof stateRows>[number];

function statesOf({ amplitudes, noisy }: StepperFrame) {
  if (amplitudes) {
    const numQubits = qubitsOf(amplitudes);
    return possibleStates(amplitudes).map(({ index, probability, phase }) => ({
      ...stateOf(index, numQubits, probability),
      ...{ phase: degreesOf(phase), angle: formatPhase(phase) },
    }));
  }
  return (noisy?.probabilities ?? [])
    .map((probability, index) => ({
      ...stateOf(index, Math.log2(noisy!.probabilities.length), probability),
      ...{ phase: null, angle: "" },
    }))
    .filter(({ probability }) => probability > 1e-6)
    .sort((one, other) => other.probability - one.probability);
}

const stateOf = (index: number, numQubits: number, probability: number) => ({
  outcome: `|${basisState(index, numQubits)}⟩`,
  probability: round(probability),
  text: formatPercent(probability),
});

/** Draws the states after the current step: their probabilities as bars, their phases as colours and dials. */
export function statesView(rows: readonly StateRow[], width: number, current: string) {
  const count = Math.max(1, ...rows.map(({ row }) => row + 1));
  const hasPhases = rows.some(({ phase }) => phase !== null);
  const left = Math.max(...rows.map(({ outcome }) => outcome.length)) * LETTER + 10;
  const right = hasPhases ? 84 : 0;
  const room = width - left - right - 52;
  const at = (place: string, ...more: object[]) =>
    only(
      isCurrent(current),
      { calculate: `${HEADER} + ${ROW} * (datum.row + 0.5)`, as: "y" },
      { calculate: place, as: "x" },
      ...more,
    );
  const place = { x: pixels("x"), y: pixels("y") };
  const words = (text: string, at: object, look: object) =>
    mark("text", { fontSize: 12, color: inked, baseline: "middle", ...look }, { ...place, text }, at);
  const length = `${left} + ${round(room)} * datum.probability`;
  const color = hasPhases ? phaseColorChannel : { value: inked };
  const tooltip = tips({ outcome: "state", text: "probability", ...(hasPhases && { angle: "phase" }) });
  return {
    ...{ width, height: HEADER + ROW * (count + Number(rows.some(({ more }) => more > 0))) },
    data: { name: "states" },
    layer: present([
      note("probability, %", left, 10, { fontSize: 11.5, align: "left" }),
      hasPhases && note("phase", width, 10, { fontSize: 11.5, align: "right" }),
      mark("rule", { color: neutral, opacity: 0.5 }, { x: 0, x2: width, y: HEADER - 6 }, inline()),
      mark(
        "rect",
        { cornerRadius: 2 },
        { x: pixels("x"), x2: left, y: pixels("top"), y2: "bottom", color, tooltip },
        at(
          length,
          { calculate: `datum.y - ${BAR / 2}`, as: "top" },
          { calculate: `datum.y + ${BAR / 2}`, as: "bottom" },
        ),
      ),
      words("outcome", at("0"), { align: "left", fontSize: 13 }),
      words("percent", at(`${length} + 7`), { align: "left" }),
      ...(hasPhases ? dialMarks(8, place, at(String(width - 62))) : []),
      hasPhases && words("angle", at(String(width)), { align: "right" }),
      mark(
        "text",
        { align: "left", color: neutral, fontSize: 11.5, baseline: "middle" },
        { x: 0, y: HEADER + ROW * (count + 0.5), text: "rest" },
        only(
          isCurrent(current),
          { filter: "datum.more > 0 && datum.row == 0" },
          { calculate: "'+ ' + datum.more + ' more'", as: "rest" },
        ),
      ),
    ]),
    transform: [{ calculate: "format(100 * datum.probability, '.1f')", as: "percent" }],
  };
}

export function sphereRows({ frames, qubits }: Stepper, across: number) {
  const grid = sphereGrid(qubits.length, MAX_DIAMETER, across, MAX_DIAMETER);
  return frames.flatMap(({ amplitudes, noisy }, step) =>
    amplitudes || noisy
      ? qubits.map((name, qubit) => {
          const vector = amplitudes ? blochVector(amplitudes, qubit) : noisy!.bloch[qubit]!;
          const sphere: Sphere = { qubit, ...vector, length: Math.hypot(vector.x, vector.y, vector.z) };
          const entanglement = amplitudes && entanglementOf(vector);
          const row = sphereRow(sphere, qubit, grid);
          const words =
            entanglement !== null && entanglement > 0.005 ? `|r| = ${sphere.length.toFixed(2)}` : row.words;
          return { step, ...row, words, qubit: name };
        })
      : [],
  );
}

/** Draws each qubit by itself after the current step; the arrow of an entangled one is shorter. */
export function spheresView({ qubits }: Stepper, width: number, across: number, current: string) {
  const count = Math.min(across, qubits.length);
  const diameter = Math.min(MAX_DIAMETER, Math.floor(width / across / 1.36));
  const grid = sphereGrid(qubits.length, diameter, across, MAX_DIAMETER);
  const view = sphereView([], { ...grid, across: count });
  return { ...view, data: { name: "spheres" }, ...only(isCurrent(current)) };
}
