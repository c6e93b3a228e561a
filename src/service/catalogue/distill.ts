import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import {
  calibrationSchema,
  type DeviceCalibration,
  type QubitCalibration,
} from "../../contract/calibration.ts";
import { topologySchema } from "../../contract/device.ts";
import type { Topology } from "../../contract/topology.ts";

/*
 * Distils the figures of the emulated QPUs: node src/service/catalogue/distill.ts FOLDER YYYY-MM-DD
 *
 * FOLDER holds the public files, both of projects under the Apache-2.0 licence:
 * conf_NAME.json and props_NAME.json of qiskit-ibm-runtime for perth, auckland and brisbane;
 * garnet_device_properties_*.json and ionq_forte_enterprise_device_capabilities.json of amazon-braket-examples.
 * The date is the day on which they were fetched. Figures alone are kept.
 */

const lineWidth = 110;

type Snapshot = { topology: Topology; calibration: DeviceCalibration };

const pair = z.tuple([z.int(), z.int()]);
const figure = z.object({ name: z.string(), value: z.number() });
const ibmConfiguration = z.object({ n_qubits: z.int(), coupling_map: z.array(pair), coords: z.array(pair) });
const ibmProperties = z.object({
  last_update_date: z.string(),
  qubits: z.array(z.array(figure)),
  gates: z.array(z.object({ qubits: z.array(z.int()), gate: z.string(), parameters: z.array(figure) })),
});
const iqm = z.object({
  service: z.object({ updatedAt: z.string() }),
  paradigm: z.object({ qubitCount: z.int() }),
  provider: z.object({
    properties: z.object({
      one_qubit: z.record(
        z.string(),
        z.object({
          T1: z.number(),
          T2: z.number(),
          f1Q_simultaneous_RB: z.number(),
          fRO: z.number(),
          readout_error_0_to_1: z.number(),
          readout_error_1_to_0: z.number(),
        }),
      ),
      two_qubit: z.record(z.string().regex(/^\d+-\d+$/), z.object({ fCZ: z.number() })),
    }),
  }),
});
const mean = z.object({ mean: z.number() });
const ionq = z.object({
  service: z.object({ updatedAt: z.string() }),
  paradigm: z.object({ qubitCount: z.int() }),
  provider: z.object({
    fidelity: z.object({ "1Q": mean, "2Q": mean, spam: mean }),
    timing: z.object({
      T1: z.number(),
      T2: z.number(),
      "1Q": z.number(),
      "2Q": z.number(),
      readout: z.number(),
    }),
  }),
});

const emptyQubit: QubitCalibration = {
  T1: null,
  T2: null,
  frequency: null,
  readoutError: null,
  prob0Given1: null,
  prob1Given0: null,
  readoutLength: null,
  gateError: {},
  gateLength: {},
};

const rounded = (value: number, digits = 3) => Number(value.toPrecision(digits));
const moment = (text: string) => new Date(text).toISOString();
const ascending = (a: [number, number], b: [number, number]) => a[0] - b[0] || a[1] - b[1];

function distilIbm(name: string, folder: string, fetchedAt: string): Snapshot {
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

/** IQM numbers qubits from 1; here they begin at 0. */
function distilGarnet(folder: string, fetchedAt: string): Snapshot {
  const file = readdirSync(folder)
    .filter(name => /^garnet_device_properties_\d+\.json$/.test(name))
    .sort()
    .at(-1);
  if (!file) throw new Error(`${folder} has no garnet_device_properties_*.json.`);
  const { service, paradigm, provider } = readAs(iqm, join(folder, file));
  const { one_qubit, two_qubit } = provider.properties;
  const pairs = Object.entries(two_qubit)
    .map(([key, { fCZ }]) => {
      const [source, target] = key.split("-").map(number => Number(number) - 1) as [number, number];
      return { source, target, value: rounded(1 - fCZ) };
    })
    .sort((a, b) => ascending([a.source, a.target], [b.source, b.target]));
  const qubits = Object.entries(one_qubit).map(([number, one]): [number, QubitCalibration] => [
    Number(number) - 1,
    {
      ...emptyQubit,
      T1: rounded(one.T1 * 1e6, 4),
      T2: rounded(one.T2 * 1e6, 4),
      readoutError: rounded(1 - one.fRO),
      prob0Given1: rounded(one.readout_error_1_to_0),
      prob1Given0: rounded(one.readout_error_0_to_1),
      gateError: { prx: rounded(1 - one.f1Q_simultaneous_RB) },
    },
  ]);
  const edges = pairs.map(({ source, target }): [number, number] => [source, target]);
  return {
    topology: {
      type: "coupling-map",
      qubits: paradigm.qubitCount,
      edges,
      coordinates: onLattice(paradigm.qubitCount, edges),
    },
    calibration: {
      deviceQrn: "aws:emulated:qpu:garnet",
      provider: "emulated",
      lastCalibrated: moment(service.updatedAt),
      fetchedAt,
      qubits: Object.fromEntries(qubits),
      edges: { gateError: { cz: pairs }, gateLength: {} },
    },
  };
}

/** IonQ publishes means for the whole device; each qubit and each pair gets them. */
function distilForte(folder: string, fetchedAt: string): Snapshot {
  const file = join(folder, "ionq_forte_enterprise_device_capabilities.json");
  const { service, paradigm, provider } = readAs(ionq, file);
  const { fidelity, timing } = provider;
  const qubits = paradigm.qubitCount;
  const misread = rounded(1 - fidelity.spam.mean);
  const single = { error: rounded(1 - fidelity["1Q"].mean), length: rounded(timing["1Q"] * 1e9) };
  const qubit: QubitCalibration = {
    T1: rounded(timing.T1 * 1e6),
    T2: rounded(timing.T2 * 1e6),
    frequency: null,
    readoutError: misread,
    prob0Given1: misread,
    prob1Given0: misread,
    readoutLength: rounded(timing.readout * 1e9),
    gateError: { gpi: single.error, gpi2: single.error },
    gateLength: { gpi: single.length, gpi2: single.length },
  };
  const everyPair = (value: number) =>
    Array.from({ length: qubits }, (_, source) =>
      Array.from({ length: qubits - source - 1 }, (_, i) => ({ source, target: source + 1 + i, value })),
    ).flat();
  return {
    topology: { type: "fully-connected", qubits },
    calibration: {
      deviceQrn: "ionq:emulated:qpu:forte",
      provider: "emulated",
      lastCalibrated: moment(service.updatedAt),
      fetchedAt,
      qubits: Object.fromEntries(Array.from({ length: qubits }, (_, i) => [i, qubit])),
      edges: {
        gateError: { zz: everyPair(rounded(1 - fidelity["2Q"].mean)) },
        gateLength: { zz: everyPair(rounded(timing["2Q"] * 1e9)) },
      },
    },
  };
}

function fromZero(points: readonly [number, number][]): [number, number][] {
  const left = Math.min(...points.map(([x]) => x));
  const top = Math.min(...points.map(([, y]) => y));
  return points.map(([x, y]) => [x - left, y - top]);
}

/** Lays qubits that are numbered row by row out on a square lattice: the next number is to the right, others below. */
function onLattice(qubits: number, edges: readonly [number, number][]): [number, number][] {
  const points: [number, number][] = [[0, 0]];
  const isPlaced = (qubit: number) => points[qubit] !== undefined;
  for (let round = 0; round < qubits; round++)
    for (const [a, b] of edges) {
      if (isPlaced(a) === isPlaced(b)) continue;
      const [dx, dy] = b === a + 1 ? [1, 0] : [0, 1];
      if (isPlaced(a)) points[b] = [points[a]![0] + dx, points[a]![1] + dy];
      else points[a] = [points[b]![0] - dx, points[b]![1] - dy];
    }
  return fromZero(points);
}

function readAs<T>(schema: z.ZodType<T>, file: string): T {
  const text: unknown = JSON.parse(readFileSync(file, "utf8"));
  const read = schema.safeParse(typeof text === "string" ? JSON.parse(text) : text);
  if (!read.success) throw new Error(`${file} is not of the form expected:\n${z.prettifyError(read.error)}`);
  return read.data;
}

/** Writes JSON as the formatter does: a list or record of plain values, or of pairs, on one line where it fits. */
function format(value: unknown, indent = "", taken = indent.length): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const isList = Array.isArray(value);
  const [open, close, pad] = isList ? ["[", "]", ""] : ["{", "}", " "];
  const keys = isList ? value.map(() => "") : Object.keys(value).map(key => `${JSON.stringify(key)}: `);
  const members = Object.values(value);
  if (members.length === 0) return open + close;
  const deeper = `${indent}  `;
  const parts = members.map((member, i) => keys[i] + format(member, deeper, deeper.length + keys[i]!.length));
  const line = `${open}${pad}${parts.join(", ")}${pad}${close}`;
  const isPlain = members.every(member => typeof member !== "object" || member === null);
  if ((isPlain || Array.isArray(members[0])) && taken + line.length < lineWidth) return line;
  return `${open}\n${deeper}${parts.join(`,\n${deeper}`)}\n${indent}${close}`;
}

const [folder, day] = process.argv.slice(2);
if (!folder || !/^\d{4}-\d{2}-\d{2}$/.test(day ?? "")) throw new Error("Usage: distill.ts FOLDER YYYY-MM-DD");
const fetchedAt = `${day}T00:00:00.000Z`;
const write = (file: string, figures: unknown) =>
  writeFileSync(new URL(file, import.meta.url), `${format(figures)}\n`);
const snapshots = {
  perth: distilIbm("perth", folder, fetchedAt),
  auckland: distilIbm("auckland", folder, fetchedAt),
  brisbane: distilIbm("brisbane", folder, fetchedAt),
  garnet: distilGarnet(folder, fetchedAt),
  forte: distilForte(folder, fetchedAt),
};
const topologies: Record<string, Topology> = {};
for (const [name, { topology, calibration }] of Object.entries(snapshots)) {
  write(`./calibrations/${name}.json`, calibrationSchema.parse(calibration));
  topologies[calibration.deviceQrn] = topologySchema.parse(topology);
}
write("./topologies.json", topologies);
