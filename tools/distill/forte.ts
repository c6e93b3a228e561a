import { join } from "node:path";
import { z } from "zod";
import type { QubitCalibration } from "../../src/contract/calibration.ts";
import { moment, readAs, rounded, type Snapshot } from "./snapshot.ts";

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

/**
 * Distills ionq_forte_enterprise_device_capabilities.json of amazon-braket-examples. IonQ publishes means for the whole
 * device; each qubit and each pair gets them.
 */
export function distillForte(folder: string, fetchedAt: string): Snapshot {
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
