import { type TopologyOptions, topologyChart } from "../../charts/calibration/topology.ts";
import type { Chart } from "../../charts/chart.ts";
import { rethrowAsKetbookError } from "../../client/rethrow.ts";
import { isKnownTopology, type KnownTopology } from "../../contract/topology.ts";
import { Calibration } from "../devices/calibration.ts";
import { Device } from "../devices/device.ts";

/**
 * Draws which qubits are joined, as a graph: those of a device, a topology, or a list of pairs. A calibration draws itself
 * with its errors: `calibration.map()`.
 *
 * @example
 * ```ts
 * import { coupling, device } from "ketbook";
 * coupling([[0, 1], [1, 2], [1, 3], [3, 5]]);
 * coupling({ type: "square-lattice", rows: 4, cols: 5 });
 * coupling(await device("garnet"));
 * ```
 *
 * @throws KetbookError for what is no topology, and an option that is not there.
 */
export function coupling(
  given: KnownTopology | Device | readonly (readonly [number, number])[],
  options: TopologyOptions = {},
): Chart<TopologyOptions> {
  return rethrowAsKetbookError("coupling", () => {
    if (given instanceof Device) return topologyChart(given, options);
    if (given instanceof Calibration) throw new RangeError("A calibration draws itself: calibration.map().");
    const topology = Array.isArray(given) ? fromPairs(given) : (given as KnownTopology);
    if (!isKnownTopology(Object(topology)))
      throw new RangeError(
        'A topology is a list of pairs such as [[0, 1], [1, 2]], or { type: "square-lattice", rows: 2, cols: 3 }.',
      );
    return topologyChart({ name: "Coupling", topology, numberQubits: null }, options);
  });
}

const maxQubits = 1024;

function fromPairs(pairs: readonly (readonly [number, number])[]): KnownTopology {
  const wrong = pairs.findIndex(
    pair =>
      !Array.isArray(pair) ||
      pair.length !== 2 ||
      pair[0] === pair[1] ||
      !pair.every(qubit => Number.isInteger(qubit) && qubit >= 0 && qubit < maxQubits),
  );
  if (wrong >= 0)
    throw new RangeError(`Pair ${wrong} must be two qubits such as [0, 1], with numbers below ${maxQubits}.`);
  if (pairs.length === 0)
    throw new RangeError("The list of pairs is empty. Give at least one, such as [[0, 1], [1, 2]].");
  const qubits = pairs.flat().reduce((max, qubit) => Math.max(max, qubit + 1), 0);
  return { type: "coupling-map", qubits, edges: pairs.map(([a, b]) => [a, b]) };
}
