import { join } from "node:path";
import { z } from "zod";
import type { DeviceCalibration } from "../../src/contract/calibration.ts";
import { fromZero } from "./lattice.ts";
import { ascending, moment, readAs, rounded, type Snapshot } from "./snapshot.ts";

const pair = z.tuple([z.int(), z.int()]);
const figure = z.object({ name: z.string(), value: z.number() });
const ibmConfiguration = z.object({ n_qubits: z.int(), coupling_map: z.array(pair), coords: z.array(pair) });
const ibmProperties = z.object({
  last_update_date: z.string(),
  qubits: z.array(z.array(figure)),
  gates: z.array(z.object({ qubits: z.array(z.int()), gate: z.string(), parameters: z.array(figure) })),
});

/** Distills conf_NAME.json and props_NAME.json of qiskit-ibm-runtime. */
export function distillIbm(name: string, folder: string, fetchedAt: string): Snapshot {
  const { n_qubits, coupling_map, coords } = readAs(ibmConfiguration, join(folder, `conf_${name}.json`));
  const { last_update_date, qubits, gates } = readAs(ibmProperties, join(folder, `props_${name}.json`));
  const calibration: DeviceCalibration = {
    deviceQrn: `ibm:emulated:qpu:${name}`,
    provider: "emulated",
    lastCalibrated: moment(last_update_date),
    fetchedAt,
    qubits: {},
    edges: { gateError: {}, gateLength: {} },
  };
  qubits.forEach((figures, qubit) => {
    const value = (wanted: string, digits: number) => {
      const found = figures.find(one => one.name === wanted);
      return found ? rounded(found.value, digits) : null;
    };
    calibration.qubits[qubit] = {
      T1: value("T1", 4),
      T2: value("T2", 4),
      frequency: value("frequency", 5),
      readoutError: value("readout_error", 3),
      prob0Given1: value("prob_meas0_prep1", 3),
      prob1Given0: value("prob_meas1_prep0", 3),
      readoutLength: value("readout_length", 4),
      gateError: {},
      gateLength: {},
    };
  });
  for (const { gate, qubits: on, parameters } of gates)
    for (const { name: kind, value } of parameters) {
      const member = kind === "gate_error" ? "gateError" : kind === "gate_length" ? "gateLength" : undefined;
      if (!member || gate === "reset") continue;
      const [source, target] = on as [number, number?];
      if (target === undefined) calibration.qubits[source]![member][gate] = rounded(value);
      else {
        calibration.edges[member][gate] ??= [];
        calibration.edges[member][gate].push({ source, target, value: rounded(value) });
      }
    }
  const edges = coupling_map
    .filter(([a, b]) => a < b || !coupling_map.some(([c, d]) => c === b && d === a))
    .map(([a, b]): [number, number] => [Math.min(a, b), Math.max(a, b)]);
  return {
    topology: {
      type: "coupling-map",
      qubits: n_qubits,
      edges: edges.sort(ascending),
      coordinates: fromZero(coords),
    },
    calibration,
  };
}
