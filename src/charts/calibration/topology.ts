import { checkOptions } from "../../contract/index.ts";
import { clipLines, formatCount, singleLine, table } from "../../display/index.ts";
import { Chart } from "../chart.ts";
import { type FigureOptions, figureChecks } from "../options.ts";
import { type CoupledDevice, couplingOf } from "./coupling.ts";
import { graphSpec } from "./graph.ts";
import { layoutOf } from "./layout.ts";

/** How a topology is drawn. */
export interface TopologyOptions extends FigureOptions {}

const uncalibrated = {
  ...{ deviceQrn: "", provider: null, lastCalibrated: null, fetchedAt: null, qubits: {} },
  edges: { gateError: {}, gateLength: {} },
};

/** Draws which qubits are joined, as a graph. */
export function topologyChart(device: CoupledDevice, options: TopologyOptions = {}): Chart<TopologyOptions> {
  checkOptions(options, { ...figureChecks });
  const { qubits, pairs, layout } = couplingOf(device, uncalibrated);
  const title = singleLine(options.title ?? device.name, 80);
  const subtitle = `${formatCount(qubits.length, "qubits")} · ${formatCount(pairs.length, "pairs")}`;
  const description = `${title}: coupling graph. ${subtitle}`;
  const neighbours = (qubit: number) =>
    pairs.flatMap(({ a, b }) => (a === qubit ? [b] : b === qubit ? [a] : [])).sort((a, b) => a - b);
  const lines = () => qubits.map(qubit => `  ${qubit}: ${neighbours(qubit).join(" ")}`);
  return new Chart<TopologyOptions>({
    title,
    description,
    spec: graphSpec(
      {
        ...{ title, subtitle: [subtitle], qubits: qubits.map(qubit => ({ qubit })), pairs },
        ...{ layout: layout ?? layoutOf(qubits.length, pairs), width: options.width ?? 640 },
      },
      description,
    ),
    options,
    table: () =>
      table<number>({
        caption: title,
        noun: "qubits",
        rows: qubits,
        limit: qubits.length,
        columns: [
          { label: "Qubit", align: "right", value: String },
          { label: "Joined with", value: qubit => neighbours(qubit).join(", ") },
        ],
      }),
    text: columns => clipLines([title, subtitle, ...lines()], columns),
    rebuild: changed => topologyChart(device, { ...options, ...changed }),
  });
}
