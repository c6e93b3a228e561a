import { formatPhase } from "../../charts/state/phase.ts";
import { basisState } from "../../charts/state/reduced.ts";
import { code } from "../../display/cell.ts";
import { type Cell, formatPercent, meter, type RenderedView, series, table } from "../../display/index.ts";
import { stateText } from "../programs/state-text.ts";
import type { SplitOutputs } from "./compare-outputs.ts";

const MAX_ROWS = 16;
const NEGLIGIBLE = 1e-6;

interface Row {
  readonly label: string;
  readonly wanted: Part;
  readonly found: Part;
}

interface Part {
  readonly probability: number;
  /** In radians; null where it has no meaning. */
  readonly phase: number | null;
}

/** Expected and actual output of one input. */
export interface ComparedOutputs {
  /** Amplitudes of the data qubits. */
  readonly wanted: Float64Array;
  /** Amplitudes at `2 · (data · others + other)`. */
  readonly found: Float64Array;
  readonly split: Pick<SplitOutputs, "size" | "others">;
  readonly caption: string;
}

/** Shows what an output should be beside what it is: probabilities as bars, phases as numbers. @internal */
export function outputsView({ wanted, found, split, caption }: ComparedOutputs): RenderedView {
  const { size, others } = split;
  const numQubits = Math.log2(size);
  const rows = Array.from({ length: size }, (_, data) => {
    const first = 2 * data * others;
    const one = partOf(found[first]!, found[first + 1]!);
    let rest = 0;
    for (let i = first + 2; i < first + 2 * others; i++) rest += found[i]! ** 2;
    return [
      {
        label: `|${basisState(data, numQubits)}⟩`,
        wanted: partOf(wanted[2 * data]!, wanted[2 * data + 1]!),
        found: one,
      },
      {
        label: `|${basisState(data, numQubits)}⟩, other qubits not |0⟩`,
        wanted: { probability: 0, phase: null },
        found: { probability: rest, phase: null },
      },
    ];
  })
    .flat()
    .filter(row => row.wanted.probability > NEGLIGIBLE || row.found.probability > NEGLIGIBLE);
  return table<Row>({
    caption,
    noun: "states",
    rows: rows.toSorted((a, b) => differenceOf(b) - differenceOf(a)),
    limit: MAX_ROWS,
    columns: [
      { label: "State", value: ({ label }) => code(label) },
      { label: "Expected", value: row => partCell(row.wanted, series[0]) },
      { label: "Yours", value: row => partCell(row.found, series[1]) },
      { label: "", value: row => (differenceOf(row) > 1e-3 ? "✗" : "✓") },
    ],
  });
}

const partOf = (re: number, im: number): Part => {
  const probability = re * re + im * im;
  return { probability, phase: probability > NEGLIGIBLE ? Math.atan2(im, re) : null };
};

function differenceOf({ wanted, found }: Row): number {
  const turn = wanted.phase !== null && found.phase !== null ? wanted.phase - found.phase : 0;
  const overlap = 2 * Math.sqrt(wanted.probability * found.probability) * Math.cos(turn);
  return Math.max(0, wanted.probability + found.probability - overlap);
}

const partCell = ({ probability, phase }: Part, color: string): Cell =>
  meter(probability, {
    label: `${formatPercent(probability)}${phase === null ? "" : `, phase ${formatPhase(phase)}`}`,
    color,
  });

/** Turns a state so that its first amplitude is positive. @internal */
export function withoutPhase(amplitudes: Float64Array): Float64Array {
  const first = amplitudes.findIndex((_, i) =>
    i % 2 === 0 ? Math.hypot(amplitudes[i]!, amplitudes[i + 1]!) > 1e-6 : false,
  );
  if (first < 0) return amplitudes;
  const size = Math.hypot(amplitudes[first]!, amplitudes[first + 1]!);
  const [c, s] = [amplitudes[first]! / size, -amplitudes[first + 1]! / size];
  return amplitudes.map((_, i) => {
    const at = i - (i % 2);
    const [re, im] = [amplitudes[at]!, amplitudes[at + 1]!];
    return i % 2 === 0 ? re * c - im * s : re * s + im * c;
  });
}

/** Writes equally superposed basis states. @internal */
export function inputText(states: readonly number[], numQubits: number): string {
  const amplitudes = new Float64Array(2 ** (numQubits + 1));
  for (const state of states) amplitudes[2 * state] = 1 / Math.sqrt(states.length);
  return stateText(amplitudes);
}
