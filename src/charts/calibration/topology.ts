import { formatCount, numbers, singleLine, table } from "../../display/index.ts";
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

export const topologyChart = (device: CoupledDevice, options: TopologyOptions = {}): Chart<TopologyOptions> =>
  drawChart(figureChecks, options, chosen => {
    const { qubits, pairs, layout = layoutOf(qubits.length, pairs) } = couplingOf(device, uncalibrated);
    const joined = qubits.map(qubit =>
      pairs.flatMap(({ a, b }) => (a === qubit ? [b] : b === qubit ? [a] : [])).sort((a, b) => a - b),
    );
    const title = singleLine(chosen.title ?? device.name, 80);
    const subtitle = `${formatCount(qubits.length, "qubits")} · ${formatCount(pairs.length, "pairs")}`;
    return {
      title,
      subtitle,
      description: `${title}: coupling graph. ${subtitle}`,
      spec: graphSpec({
        ...{ pairs, layout, width: chosen.width ?? 640 },
        qubits: qubits.map(qubit => ({ qubit })),
      }),
      table: () =>
        table<number>({
          caption: title,
          noun: "qubits",
          rows: qubits,
          limit: qubits.length,
          columns: [
            numbers("Qubit", String),
            { label: "Joined with", value: qubit => joined[qubit]!.join(", ") },
          ],
        }),
      text: () => joined.map((others, qubit) => `  ${qubit}: ${others.join(" ")}`),
    };
  });
