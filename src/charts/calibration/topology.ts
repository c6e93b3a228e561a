import { clipLines, formatCount, singleLine, table } from "../../display/index.ts";
import { type Chart, drawChart } from "../chart.ts";
import { type FigureOptions, figureChecks } from "../options.ts";
import { type CoupledDevice, couplingOf } from "./coupling.ts";
import { graphSpec } from "./graph.ts";
import { layoutOf } from "./layout.ts";

/** Options of a topology. */
export interface TopologyOptions extends FigureOptions {}

const uncalibrated = {
  ...{ deviceQrn: "", provider: null, lastCalibrated: null, fetchedAt: null, qubits: {} },
  edges: { gateError: {}, gateLength: {} },
};

export function topologyChart(device: CoupledDevice, options: TopologyOptions = {}): Chart<TopologyOptions> {
  return drawChart(
    {
      checks: figureChecks,
      prepare: chosen => {
        const { qubits, pairs, layout } = couplingOf(device, uncalibrated);
        const joined = qubits.map(qubit =>
          pairs.flatMap(({ a, b }) => (a === qubit ? [b] : b === qubit ? [a] : [])).sort((a, b) => a - b),
        );
        return {
          title: singleLine(chosen.title ?? device.name, 80),
          subtitle: `${formatCount(qubits.length, "qubits")} · ${formatCount(pairs.length, "pairs")}`,
          ...{ qubits, pairs, joined, width: chosen.width ?? 640 },
          layout: layout ?? layoutOf(qubits.length, pairs),
        };
      },
      describe: ({ title, subtitle }) => `${title}: coupling graph. ${subtitle}`,
      spec: drawn => graphSpec({ ...drawn, qubits: drawn.qubits.map(qubit => ({ qubit })) }),
      table: ({ title, qubits, joined }) =>
        table<number>({
          caption: title,
          noun: "qubits",
          rows: qubits,
          limit: qubits.length,
          columns: [
            { label: "Qubit", align: "right", value: String },
            { label: "Joined with", value: qubit => joined[qubit]!.join(", ") },
          ],
        }),
      text: ({ title, subtitle, joined }, columns) =>
        clipLines(
          [title, subtitle, ...joined.map((others, qubit) => `  ${qubit}: ${others.join(" ")}`)],
          columns,
        ),
    },
    options,
  );
}
