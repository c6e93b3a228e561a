import {
  type Chart,
  type TimelineOptions,
  type TopologyOptions,
  timelineChart,
  topologyChart,
} from "../../charts/index.ts";
import { KetbookError, rethrowAsKetbookError } from "../../client/index.ts";
import { isKnownTopology, type KnownTopology, type RecordedProgram } from "../../contract/index.ts";
import { deviceFigures, scheduleCircuit } from "../../simulation/index.ts";
import { Calibration } from "../devices/calibration.ts";
import { Device, type PendingDevice } from "../devices/device.ts";
import {
  calibrationGaps,
  compileForDevice,
  type TranspileOptions,
  transpileOptionChecks,
} from "../programs/device-program.ts";
import { QasmProgram } from "../programs/program.ts";
import { naming } from "../programs/program-figures.ts";
import { LazyValue } from "../values/lazy-value.ts";
import { checkHelperOptions, given } from "../values/options.ts";

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
 * @throws KetbookError for anything but a topology, and for an unknown option.
 */
export function coupling(
  of: KnownTopology | Device | readonly (readonly [number, number])[],
  options: TopologyOptions = {},
): Chart<TopologyOptions> {
  return rethrowAsKetbookError("coupling", () => {
    if (of instanceof Device) return topologyChart(of, options);
    if (of instanceof Calibration) throw new RangeError("A calibration draws itself: calibration.map().");
    const topology = Array.isArray(of) ? fromPairs(of) : (of as KnownTopology);
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

/**
 * Draws when a program keeps the qubits of a device busy: it is transpiled and scheduled as an emulated QPU does, as late
 * as possible. Options say how it is transpiled, as those of `transpile`, and how the chart is drawn. Pulses are blocks, named where there is room; what takes no time, as rotations about Z, is a diamond.
 *
 * @example
 * ```ts
 * import { device, qasm, timeline } from "ketbook";
 * const ghz = qasm`OPENQASM 3.0; include "stdgates.inc"; qubit[3] q; bit[3] c; h q[0]; cx q[0], q[1]; cx q[1], q[2]; c = measure q;`;
 * timeline(ghz, device("perth"));
 * ```
 *
 * @throws KetbookError for a device without a calibration, and a program that does not compile or fit.
 */
export function timeline(
  program: string | RecordedProgram,
  device: Device | PendingDevice,
  { optimizationLevel, initialLayout, seed, verbatim, ...options }: TimelineOptions & TranspileOptions = {},
): LazyValue<Chart<TimelineOptions>> {
  const compiling = given({ optimizationLevel, initialLayout, seed, verbatim });
  checkHelperOptions("timeline", compiling, transpileOptionChecks);
  return new LazyValue("Timeline", async () => {
    const chosen = await device;
    const { name, topology, qrn } = chosen;
    const calibration = await chosen.shownCalibration();
    if (!calibration || topology === null || !isKnownTopology(topology))
      throw new KetbookError(`timeline: ${qrn} has no calibration that says how long its gates take.`);
    const { circuit } = naming("timeline", () =>
      compileForDevice(QasmProgram.of(program).source, topology, calibration, compiling),
    );
    const schedule = naming("timeline", () => scheduleCircuit(circuit, deviceFigures(calibration)));
    const { missing, assumed } = calibrationGaps(schedule.operations, calibration);
    const guessed = [...missing.filter(gap => /lengths of/.test(gap)), ...assumed];
    const note = guessed.length > 0 ? ` (assumed: ${guessed.join("; ")})` : "";
    return rethrowAsKetbookError("timeline", () =>
      timelineChart({ name: (name ?? qrn) + note, ...schedule }, options),
    );
  });
}
