import { list } from "../../contract/index.ts";
import { formatNumber, pad, present, singleLine, table } from "../../display/index.ts";
import { asIs, clampPixels, inline, mark, round, tips, wholeSteps } from "../channels.ts";
import { type Chart, drawChart, type Figure } from "../chart.ts";
import { type FigureOptions, figureChecks } from "../options.ts";
import { figureRoles, inked } from "../roles.ts";
import { degreesOf, formatPhase, phaseColorChannel, phaseWheel, wheelRoom } from "./phase.ts";
import {
  type Amplitudes,
  type ComplexMatrix,
  checkQubits,
  qubitsOf,
  reducedDensityMatrix,
} from "./reduced.ts";

/** The density matrix of some qubits, before it is drawn in one way or another. */
export interface DrawnMatrix {
  matrix: ComplexMatrix;
  /** Bits of the basis states. */
  labels: readonly string[];
  title: string;
  subtitle: string;
  /** The option; missing where it is not given. */
  width: number | undefined;
}

/** A way to draw a density matrix, of at most `max` qubits, and its words. */
interface MatrixForm {
  max: number;
  noun: string;
  mark: string;
  key: string;
  spec(drawn: DrawnMatrix): Figure["spec"];
}

/** Draws the density matrix of the listed qubits in one way. Throws a `RangeError` for wrong ones, or more than `max`. */
export const densityChart = (
  given: Amplitudes | ComplexMatrix,
  options: DensityOptions,
  { max, noun, mark, key, spec }: MatrixForm,
): Chart<DensityOptions> =>
  drawChart({ ...figureChecks, qubits: list }, options, chosen => {
    const count = isMatrix(given) ? qubitsOfMatrix(given) : qubitsOf(given);
    const all = Array.from({ length: count }, (_, qubit) => qubit);
    const qubits = chosen.qubits ?? all;
    checkQubits(qubits, count);
    if (new Set(qubits).size !== qubits.length) throw new RangeError("A qubit is named twice.");
    if (qubits.length < 1 || qubits.length > max)
      throw new RangeError(
        `${noun} is drawn of 1 to ${max} qubits, not of ${qubits.length}: choose some, as in { qubits: [0, 1] }.`,
      );
    if (isMatrix(given) && qubits.join() !== all.join())
      throw new RangeError("A density matrix is drawn whole: choose qubits of the state that it is of.");
    const matrix = isMatrix(given) ? given : reducedDensityMatrix(given, qubits);
    const purity = matrix.values.reduce((sum, value) => sum + value * value, 0);
    const names = qubits.toReversed().map(qubit => `q[${qubit}]`);
    const labels = Array.from({ length: matrix.size }, (_, bits) =>
      bits.toString(2).padStart(qubits.length, "0"),
    );
    const title = singleLine(chosen.title ?? "Density matrix", 80);
    const subtitle = `${names.join(" ")} · purity ${purity.toFixed(3)} · ${key}`;
    const texts = labels.map((_, row) => labels.map((_, column) => entryText(matrix, row, column)));
    return {
      title,
      subtitle,
      description: `${title}: a ${mark} for each entry of the density matrix. ${subtitle}`,
      spec: spec({ matrix, labels, title, subtitle, width: chosen.width }),
      records: () =>
        labels.flatMap((row, i) =>
          labels.map((column, j) => {
            const at = 2 * (i * matrix.size + j);
            return { row, column, re: matrix.values[at]!, im: matrix.values[at + 1]! };
          }),
        ),
      table: () =>
        table<string[]>({
          caption: title,
          noun: "rows",
          rows: texts.map((row, index) => [`|${labels[index]}⟩`, ...row]),
          columns: ["", ...labels.map(label => `⟨${label}|`)].map((label, column) => ({
            ...{ label, align: column === 0 ? "left" : "right" },
            value: row => row[column],
          })),
        }),
      text: columns => {
        const cell = Math.max(...texts.flat().map(text => text.length));
        const room = Math.max(30, Math.floor(columns)) - labels[0]!.length - 6;
        const fits = Math.max(1, Math.floor(room / (cell + 2)));
        const left = labels.length - fits;
        return present([
          ...texts.map((row, index) => {
            const shown = row.slice(0, fits).map(text => pad(text, cell, "right"));
            return `  |${labels[index]}⟩  ${shown.join("  ")}`;
          }),
          left > 0 && `  + ${formatNumber(left)} columns`,
        ]);
      },
    };
  });

const isMatrix = (given: Amplitudes | ComplexMatrix): given is ComplexMatrix => "size" in given;

function qubitsOfMatrix({ size, values }: ComplexMatrix): number {
  const qubits = Math.log2(size);
  if (!Number.isInteger(qubits) || qubits < 1 || values?.length !== 2 * size * size)
    throw new RangeError(
      "A density matrix is { size, values } with size = 2, 4, 8, … and 2 · size² values: real and imaginary parts interleaved, row by row.",
    );
  for (const value of values)
    if (!Number.isFinite(value)) throw new RangeError("A density matrix has finite entries.");
  return qubits;
}

export const MIN_ENTRY_SIZE = 1e-9;

/** Returns the entries of a matrix, their phases in radians, and the size of the largest. */
export function matrixEntries({ size, values }: ComplexMatrix) {
  const entries = Array.from({ length: size * size }, (_, index) => {
    const [re, im] = [values[2 * index]!, values[2 * index + 1]!];
    const [row, column] = [Math.floor(index / size), index % size];
    return { row, column, size: Math.hypot(re, im), phase: Math.atan2(im, re) };
  });
  const largest = entries.reduce((largest, entry) => Math.max(largest, entry.size), MIN_ENTRY_SIZE);
  return { entries, largest };
}

const entryText = ({ size, values }: ComplexMatrix, row: number, column: number) => {
  const at = 2 * (row * size + column);
  const [re, im] = [values[at]!, values[at + 1]!].map(value => (Math.abs(value) < 5e-4 ? 0 : value));
  const real = re!.toFixed(3).replace("-", "−");
  return im === 0 ? real : `${real} ${im! < 0 ? "−" : "+"} ${Math.abs(im!).toFixed(3)}i`;
};

/** Options of a density matrix, as squares or as a city: up to 360 pixels wide by default, a city 480. */
export interface DensityOptions extends FigureOptions {
  /** Qubits whose matrix is drawn, the others traced out. Default: all. */
  qubits?: readonly number[];
}

const maxQubits = 6;
const largestCell = 64;
const minNumber = 0.1;
const numberedCell = 28;
const labelHeight = 12;

/** Draws up to six qubits as squares: area is size, colour is phase. Throws a `RangeError` for more. */
export function hintonChart(
  state: Amplitudes | ComplexMatrix,
  options: DensityOptions = {},
): Chart<DensityOptions> {
  return densityChart(state, options, {
    max: maxQubits,
    noun: "A Hinton diagram",
    mark: "square",
    key: "area: |ρ|",
    spec: hintonSpec,
  });
}

function hintonSpec({ matrix, labels, title, subtitle, ...options }: DrawnMatrix) {
  const { size } = matrix;
  const wanted = clampPixels(options.width ?? Math.min(360, size * largestCell), 80);
  const width = wholeSteps(wanted, size);
  const cell = width / size;
  const { entries, largest } = matrixEntries(matrix);
  const rows = entries
    .filter(entry => entry.size >= MIN_ENTRY_SIZE)
    .map(entry => ({
      row: `|${labels[entry.row]}⟩`,
      column: `⟨${labels[entry.column]}|`,
      phase: degreesOf(entry.phase),
      area: round((cell * 0.94) ** 2 * (entry.size / largest), 4),
      text: `${entry.size.toFixed(3)} ∠ ${formatPhase(entry.phase)}`,
      ...(entry.size >= minNumber && cell >= numberedCell && { number: entry.size.toFixed(2) }),
    }));
  const every = Math.ceil(labelHeight / cell);
  const axis = (names: readonly string[], orient: "left" | "top", isUpright = false) => ({
    ...{ type: "nominal", sort: null, scale: { domain: names, padding: 0.5 } },
    axis: {
      ...{ title: null, domain: false, ticks: false, orient },
      ...{ labelColor: inked, labelFontSize: 11.5, labelAngle: isUpright ? -90 : 0, labelOverlap: false },
      values: names.filter((_, index) => index % every === 0),
    },
  });
  const columns = labels.map(label => `⟨${label}|`);
  const kets = labels.map(label => `|${label}⟩`);
  const isTight = 7 * (labels[0]!.length + 2) + 6 > cell;
  const places = {
    x: { field: "column", ...axis(columns, "top", isTight) },
    y: { field: "row", ...axis(kets, "left") },
  };
  return {
    title: { text: title, subtitle: [subtitle, `largest ${largest.toFixed(3)}`] },
    width,
    height: width,
    layer: [
      mark(
        "rect",
        { fill: figureRoles.wash, aria: false },
        { x: 0, x2: width, y: 0, y2: width },
        inline([{ from: 0 }]),
      ),
      mark(
        "point",
        { shape: "square", filled: true, opacity: 1 },
        {
          ...places,
          size: asIs("area"),
          color: phaseColorChannel,
          tooltip: tips({ row: "row", column: "column", text: "entry" }),
        },
        inline(rows),
      ),
      mark(
        "text",
        { color: "#000000", fontSize: 11, fontWeight: 600 },
        { ...places, text: "number" },
        inline(rows.filter(row => "number" in row)),
      ),
      ...phaseWheel(wheelRoom, wheelRoom),
    ],
  };
}
