import { readdirSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { QubitCalibration } from "../../src/contract/calibration.ts";
import { onLattice } from "./lattice.ts";
import { ascending, moment, readAs, rounded, type Snapshot } from "./snapshot.ts";

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

/** Distills garnet_device_properties_*.json of amazon-braket-examples, which numbers qubits from 1. */
export function distillGarnet(folder: string, fetchedAt: string): Snapshot {
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
