import { round } from "../channels.ts";
import { neutral } from "../roles.ts";
import { clampPixels, type VegaLiteSpec, vegaLiteSpec, wholeSteps } from "../vega-lite.ts";
import { errorColorChannel, errorLegend, errorShades, errorTip } from "./error-channel.ts";
import type { CalibrationMap } from "./map.ts";

const defaultWidth = 480;

/** Numbers of qubits that are written on an axis: all, or every second, fifth, tenth. */
export function labelledQubits(qubits: readonly number[], room: number): number[] {
  const every = [1, 2, 5, 10, 20, 50, 100].find(gap => (qubits.length / gap) * 22 <= room) ?? 200;
  return qubits.filter(qubit => qubit % every === 0);
}

/**
 * Draws every pair of qubits as a square, coloured and sized by its error, and each qubit's readout error as a
 * circle on the diagonal.
 */
export function matrixSpec(map: CalibrationMap, description: string): VegaLiteSpec {
  const { qubits } = map.coupling;
  const maxWidth = clampPixels(map.options.width ?? defaultWidth, 120, 2000);
  const width = Math.min(wholeSteps(maxWidth, qubits.length), qubits.length * 40);
  const cell = width / qubits.length;
  const errors = Map.groupBy(map.pairs, ({ a }) => a);
  const values = map.qubits.map(({ qubit, error }) => {
    const others = errors.get(qubit) ?? [];
    return {
      x: qubit,
      y: [qubit, ...others.map(({ b }) => b)],
      error: [error, ...others.map(pair => pair.error)].map(each => each && round(each, 4)),
    };
  });
  const axis = (title: string | null) => ({
    type: "ordinal",
    sort: null,
    scale: { domain: qubits, padding: 0.5 },
    axis: { title, values: labelledQubits(qubits, width), labelAngle: 0, domain: false },
  });
  const common = {
    shape: {
      field: "kind",
      type: "nominal",
      scale: { domain: ["pair", "qubit"], range: ["square", "circle"] },
      legend: null,
    },
    size: { field: "size", type: "quantitative", scale: null, legend: null },
  };
  const tip = { field: "pair", type: "nominal", title: "qubits" };
  return vegaLiteSpec({
    description,
    title: { text: map.title, subtitle: map.caption },
    width,
    height: width,
    data: { values },
    transform: [
      { flatten: ["y", "error"] },
      { calculate: "datum.x === datum.y ? 'qubit' : 'pair'", as: "kind" },
      { calculate: "datum.x === datum.y ? '' + datum.x : datum.x + '–' + datum.y", as: "pair" },
      ...errorShades,
      {
        calculate: `pow(${round(cell)} * (isValid(datum.error) ? 0.4 + 0.5 * datum.share : 0.16), 2)`,
        as: "size",
      },
    ],
    encoding: {
      x: { field: "x", ...axis("qubit") },
      y: { field: "y", ...axis(null) },
    },
    layer: [
      {
        transform: [{ filter: "!isValid(datum.error)" }],
        mark: { type: "point", filled: true, opacity: 0.6, color: neutral },
        encoding: { ...common, tooltip: [tip, errorTip("error")] },
      },
      {
        transform: [{ filter: "isValid(datum.error)" }],
        mark: { type: "point", filled: true, opacity: 1 },
        encoding: { ...common, color: errorColorChannel, tooltip: [tip, errorTip("error")] },
      },
      ...(map.keys ? errorLegend(width, width + 54, map.keys) : []),
    ],
  });
}
