import { z } from "zod";
import type { QubitCalibration } from "../../../contract/index.ts";
import { addFigure, convert, type DeviceDraft, DeviceFileError, round } from "./device-draft.ts";

const figure = z.object({ name: z.string(), value: z.number(), unit: z.string() });
const qubit = z.int().min(0);

/** The part of a `conf_*.json` of a Qiskit backend that is read. */
export const qiskitConfiguration = z.object({
  backend_name: z.string().min(1),
  n_qubits: z.int().min(1),
  basis_gates: z.array(z.string()),
  coupling_map: z.array(z.tuple([qubit, qubit])).nullish(),
  max_shots: z.int().min(1).nullish(),
});

/** The part of a `props_*.json` of a Qiskit backend that is read. */
export const qiskitProperties = z.object({
  backend_name: z.string(),
  last_update_date: z.string().nullish(),
  qubits: z.array(z.array(figure)),
  gates: z.array(z.object({ gate: z.string(), qubits: z.array(qubit), parameters: z.array(figure) })),
});

/** Operations that are listed among gates and are none. */
const NO_GATES: ReadonlySet<string> = new Set([
  "measure",
  "reset",
  "delay",
  "barrier",
  "if_else",
  "while_loop",
]);
const MICROSECOND = 1000;

export function readQiskit(
  configuration: z.output<typeof qiskitConfiguration>,
  properties: z.output<typeof qiskitProperties>,
): DeviceDraft {
  const { n_qubits: numQubits, coupling_map: map, backend_name: backend } = configuration;
  if (properties.backend_name !== backend)
    throw new DeviceFileError(
      `The configuration is of ${backend}, the properties are of ${properties.backend_name}: give two files of the same backend.`,
    );
  if (properties.qubits.length !== numQubits)
    throw new DeviceFileError(
      `The configuration has ${numQubits} qubits, the properties have ${properties.qubits.length}.`,
    );
  const qubits = Object.fromEntries(
    properties.qubits.map((figures, i) => [i, qubitOf(figures, `properties.qubits[${i}]`)]),
  );
  const edges: DeviceDraft["calibration"]["edges"] = { gateError: {}, gateLength: {} };
  properties.gates.forEach(({ gate, qubits: on, parameters }, i) => {
    if (NO_GATES.has(gate) || !configuration.basis_gates.includes(gate)) return;
    const path = `properties.gates[${i}]`;
    if (!on.every(one => one < numQubits))
      throw new DeviceFileError(`${path} names qubits ${on.join(", ")} of ${numQubits}.`);
    const error = parameters.find(({ name }) => name === "gate_error")?.value;
    const length = parameters.find(({ name }) => name === "gate_length");
    const nanoseconds = length && round(convert(length.value, length.unit, `${path}.gate_length`));
    const [a, b] = on as [number, number];
    if (on.length === 1) {
      if (error !== undefined) qubits[a]!.gateError[gate] = error;
      if (nanoseconds !== undefined) qubits[a]!.gateLength[gate] = nanoseconds;
    } else if (on.length === 2) {
      if (error !== undefined) addFigure(edges.gateError, gate, [a, b], error);
      if (nanoseconds !== undefined) addFigure(edges.gateLength, gate, [a, b], nanoseconds);
    }
  });
  return {
    name: backend.replace(/^(?:fake|ibmq?)_/, "").toLowerCase(),
    vendor: "ibm",
    modality: "superconducting",
    topology: map
      ? { type: "coupling-map", qubits: numQubits, edges: undirected(map) }
      : { type: "fully-connected", qubits: numQubits },
    calibration: { lastCalibrated: timeOf(properties.last_update_date), qubits, edges },
    pricing: { perTask: 0, perShot: 0, perMinute: 9600 },
    pricingModel: "dynamic",
    ...(configuration.max_shots ? { maxShots: configuration.max_shots } : {}),
    notes: [`Figures of the Qiskit backend ${backend}.`],
  };
}

function qubitOf(figures: readonly z.output<typeof figure>[], path: string): QubitCalibration {
  const find = (name: string) => figures.find(one => one.name === name);
  const converted = (name: string, unit = 1) => {
    const found = find(name);
    return found ? round(convert(found.value, found.unit, `${path}.${name}`) / unit) : null;
  };
  return {
    T1: converted("T1", MICROSECOND),
    T2: converted("T2", MICROSECOND),
    frequency: converted("frequency"),
    readoutError: find("readout_error")?.value ?? null,
    prob0Given1: find("prob_meas0_prep1")?.value ?? null,
    prob1Given0: find("prob_meas1_prep0")?.value ?? null,
    readoutLength: converted("readout_length"),
    gateError: {},
    gateLength: {},
  };
}

/** Returns each pair once, in its first direction. */
function undirected(map: readonly (readonly [number, number])[]): [number, number][] {
  const seen = new Set<string>();
  return map.flatMap(([a, b]): [number, number][] => {
    const key = `${Math.min(a, b)} ${Math.max(a, b)}`;
    if (seen.has(key)) return [];
    seen.add(key);
    return [[a, b]];
  });
}

/** Returns a time as the interface writes it; null where there is none. */
export function timeOf(text: string | null | undefined): string | null {
  const time = text ? new Date(text) : undefined;
  return time && !Number.isNaN(time.getTime()) ? time.toISOString() : null;
}
