import { z } from "zod";
import type { QubitCalibration } from "../../../contract/index.ts";
import { addFigure, convert, type DeviceDraft, DeviceFileError, MAX_QUBITS, round } from "./device-draft.ts";
import { timeOf } from "./qiskit.ts";

const duration = z.object({ value: z.number(), unit: z.string() });
const mean = z.object({ mean: z.number() });
const fidelity = z.object({ fidelityType: z.object({ name: z.string() }), fidelity: z.number() });

/** The part of the properties of a gate-model QPU of Braket that is read. */
export const braketProperties = z.object({
  braketSchemaHeader: z.object({ name: z.string() }),
  service: z
    .object({
      shotsRange: z.tuple([z.int(), z.int()]).nullish(),
      deviceCost: z.object({ price: z.number(), unit: z.string() }).nullish(),
      updatedAt: z.string().nullish(),
    })
    .nullish(),
  paradigm: z.object({
    qubitCount: z.int().min(1).max(MAX_QUBITS),
    nativeGateSet: z.array(z.string()),
    connectivity: z.object({
      fullyConnected: z.boolean(),
      connectivityGraph: z.record(z.string(), z.array(z.string())).nullish(),
    }),
  }),
  standardized: z
    .object({
      oneQubitProperties: z
        .record(
          z.string(),
          z.object({
            T1: duration.nullish(),
            T2: duration.nullish(),
            oneQubitFidelity: z.array(fidelity),
          }),
        )
        .nullish(),
      twoQubitProperties: z
        .record(
          z.string(),
          z.object({
            twoQubitGateFidelity: z.array(z.object({ gateName: z.string(), fidelity: z.number() })),
          }),
        )
        .nullish(),
    })
    .nullish(),
  provider: z
    .object({
      fidelity: z.object({ "1Q": mean.nullish(), "2Q": mean.nullish(), spam: mean.nullish() }).nullish(),
      timing: z.record(z.string(), z.number()).nullish(),
    })
    .nullish(),
});

type Properties = z.output<typeof braketProperties>;

/** The makers whose devices are read, by a word of the schema's name. */
const MAKERS: Readonly<
  Record<
    string,
    { vendor: string; modality: string; oneQubit: readonly string[]; virtual: readonly string[] }
  >
> = {
  iqm: { vendor: "aws", modality: "superconducting", oneQubit: ["prx"], virtual: [] },
  rigetti: { vendor: "aws", modality: "superconducting", oneQubit: ["sx", "x"], virtual: ["rz"] },
  ionq: { vendor: "ionq", modality: "trapped_ion", oneQubit: ["gpi", "gpi2"], virtual: [] },
};
/** Names of two-qubit gates in Braket's files, as the transpiler knows them. */
const TWO_QUBIT: ReadonlyMap<string, string> = new Map([
  ["cz", "cz"],
  ["cnot", "cx"],
  ["ecr", "ecr"],
  ["ms", "ms"],
  ["zz", "zz"],
]);
const CREDITS_OF_DOLLAR = 100;
/** Braket's price of a task, in credits. */
const PER_TASK = 30;
const SECOND = 1e9;
const MICROSECOND = 1000;

/** Reads a QPU of IQM, Rigetti or IonQ from the properties that Braket publishes of it. */
export function readBraket(properties: Properties, name: string): DeviceDraft {
  const { braketSchemaHeader: header, paradigm, service } = properties;
  const maker = Object.keys(MAKERS).find(one => header.name.includes(one));
  if (!maker)
    throw new DeviceFileError(
      `The properties are of the schema ${header.name.slice(0, 100)}; those of ${Object.keys(MAKERS).join(", ")} can be read.`,
    );
  const { vendor, modality } = MAKERS[maker]!;
  const labels = labelsOf(properties);
  const numbers = new Map(labels.map((label, i) => [label, i]));
  const edges = edgesOf(paradigm.connectivity, numbers);
  const isRenumbered = labels.some((label, i) => label !== String(i));
  const cost = service?.deviceCost;
  const [minShots, maxShots] = service?.shotsRange ?? [];
  return {
    name,
    vendor,
    modality,
    topology: paradigm.connectivity.fullyConnected
      ? { type: "fully-connected", qubits: labels.length }
      : { type: "coupling-map", qubits: labels.length, edges },
    calibration: {
      lastCalibrated: timeOf(service?.updatedAt),
      ...figuresOf(properties, { maker, labels, numbers, edges }),
    },
    pricing: {
      perTask: PER_TASK,
      perShot: cost?.unit === "shot" ? round(CREDITS_OF_DOLLAR * cost.price) : 0,
      perMinute: cost?.unit === "minute" ? round(CREDITS_OF_DOLLAR * cost.price) : 0,
    },
    pricingModel: "fixed",
    ...(minShots !== undefined && maxShots !== undefined
      ? { minShots: Math.max(1, minShots), maxShots }
      : {}),
    notes: [
      "Figures of Braket's device properties.",
      ...(isRenumbered
        ? [`Qubits are numbered from 0 in the order of Braket's ${labels.join(", ").slice(0, 400)}.`]
        : []),
    ],
  };
}

/** Returns the names of the qubits, ascending. */
function labelsOf({ paradigm, standardized }: Properties): string[] {
  const { qubitCount, connectivity } = paradigm;
  const graph = connectivity.connectivityGraph ?? {};
  const named = new Set([
    ...Object.keys(graph),
    ...Object.values(graph).flat(),
    ...Object.keys(standardized?.oneQubitProperties ?? {}),
  ]);
  const labels = named.size > 0 ? [...named] : Array.from({ length: qubitCount }, (_, i) => String(i));
  const bad = labels.find(label => !/^\d{1,6}$/.test(label));
  if (bad !== undefined)
    throw new DeviceFileError(
      `A qubit is called ${JSON.stringify(bad.slice(0, 50))}, which is not a number.`,
    );
  if (labels.length !== qubitCount)
    throw new DeviceFileError(`paradigm.qubitCount is ${qubitCount}, but ${labels.length} qubits are named.`);
  return labels.sort((a, b) => Number(a) - Number(b));
}

function edgesOf(
  { connectivityGraph }: Properties["paradigm"]["connectivity"],
  numbers: ReadonlyMap<string, number>,
): [number, number][] {
  const found = new Map<string, [number, number]>();
  for (const [from, to] of Object.entries(connectivityGraph ?? {}))
    for (const other of to) {
      const pair = [numbers.get(from)!, numbers.get(other)!].sort((a, b) => a - b) as [number, number];
      found.set(pair.join(), pair);
    }
  return [...found.values()];
}

interface Machine {
  readonly maker: string;
  readonly labels: readonly string[];
  readonly numbers: ReadonlyMap<string, number>;
  readonly edges: readonly [number, number][];
}

function figuresOf(
  properties: Properties,
  { maker, labels, numbers, edges }: Machine,
): Pick<DeviceDraft["calibration"], "qubits" | "edges"> {
  const { standardized, provider, paradigm } = properties;
  const { oneQubit, virtual } = MAKERS[maker]!;
  const times = provider?.timing ?? {};
  const nanoseconds = (name: string) => (times[name] === undefined ? null : round(SECOND * times[name]));
  const means = provider?.fidelity;
  const ofGates = (figure: number | null) =>
    Object.fromEntries([
      ...(figure === null ? [] : oneQubit.map(name => [name, figure])),
      ...virtual.map(name => [name, 0]),
    ]);
  const own = (label: string): QubitCalibration => {
    const known = standardized?.oneQubitProperties?.[label];
    const path = `standardized.oneQubitProperties.${label}`;
    const time = (given: z.output<typeof duration> | null | undefined, key: string) =>
      given
        ? round(convert(given.value, given.unit, `${path}.${key}`) / MICROSECOND)
        : times[key] === undefined
          ? null
          : round(1e6 * times[key]);
    const errors = (type: string) =>
      known?.oneQubitFidelity.find(one => one.fidelityType.name === type)?.fidelity;
    const gate =
      errors("RANDOMIZED_BENCHMARKING") ??
      errors("SIMULTANEOUS_RANDOMIZED_BENCHMARKING") ??
      means?.["1Q"]?.mean;
    const readout = errors("READOUT") ?? means?.spam?.mean;
    return {
      T1: time(known?.T1, "T1"),
      T2: time(known?.T2, "T2"),
      frequency: null,
      readoutError: readout === undefined ? null : round(1 - readout),
      prob0Given1: null,
      prob1Given0: null,
      readoutLength: nanoseconds("readout"),
      gateError: ofGates(gate === undefined ? null : round(1 - gate)),
      gateLength: ofGates(nanoseconds("1Q")),
    };
  };
  const figures: DeviceDraft["calibration"]["edges"] = { gateError: {}, gateLength: {} };
  for (const [pair, { twoQubitGateFidelity: gates }] of Object.entries(
    standardized?.twoQubitProperties ?? {},
  )) {
    const [a, b] = pair.split("-").map(label => numbers.get(label));
    if (a === undefined || b === undefined)
      throw new DeviceFileError(
        `standardized.twoQubitProperties.${pair.slice(0, 50)} names no pair of qubits.`,
      );
    for (const { gateName, fidelity: value } of gates) {
      const gate = TWO_QUBIT.get(gateName.toLowerCase());
      if (gate) addFigure(figures.gateError, gate, [a, b], round(1 - value));
    }
  }
  const usual = paradigm.nativeGateSet
    .map(name => TWO_QUBIT.get(name.toLowerCase()))
    .find(name => name !== undefined);
  const uniform = means?.["2Q"]?.mean;
  if (Object.keys(figures.gateError).length === 0 && usual !== undefined && uniform !== undefined) {
    const length = nanoseconds("2Q");
    const pairs = paradigm.connectivity.fullyConnected
      ? labels.flatMap((_, a) => labels.slice(a + 1).map((_, i): [number, number] => [a, a + 1 + i]))
      : edges;
    for (const pair of pairs) {
      addFigure(figures.gateError, usual, pair, round(1 - uniform));
      if (length !== null) addFigure(figures.gateLength, usual, pair, length);
    }
  }
  return { qubits: Object.fromEntries(labels.map((label, i) => [i, own(label)])), edges: figures };
}
