import { z } from "zod";
import { pricingSchema, topologySchema } from "../../../contract/device.ts";
import type { DeviceDraft } from "./device-draft.ts";

const figures = z.record(z.string(), z.number());
const optional = z.number().nullish();
const pairs = z.record(
  z.string(),
  z.array(z.strictObject({ source: z.int().min(0), target: z.int().min(0), value: z.number() })),
);

/** Describes a device of one's own: its topology, calibration and prices. */
export const ownDevice = z.strictObject({
  name: z.string().min(1).max(100),
  vendor: z.string().min(1).max(50).default("svc"),
  modality: z.string().max(100).nullable().default(null),
  topology: topologySchema,
  calibration: z.strictObject({
    lastCalibrated: z.iso.datetime().nullish(),
    qubits: z.record(
      z.string(),
      z.strictObject({
        T1: optional,
        T2: optional,
        frequency: optional,
        readoutError: optional,
        prob0Given1: optional,
        prob1Given0: optional,
        readoutLength: optional,
        gateError: figures.default({}),
        gateLength: figures.default({}),
      }),
    ),
    edges: z.strictObject({ gateError: pairs, gateLength: pairs.default({}) }),
  }),
  pricing: pricingSchema.optional(),
  minShots: z.int().min(1).optional(),
  maxShots: z.int().min(1).optional(),
  description: z.string().max(4000).optional(),
});

/** Reads a device of one's own. */
export function readOwnDevice({
  calibration,
  pricing,
  minShots,
  maxShots,
  description,
  ...device
}: z.output<typeof ownDevice>): DeviceDraft {
  const qubits = Object.fromEntries(
    Object.entries(calibration.qubits).map(([qubit, { gateError, gateLength, ...known }]) => {
      const figure = (name: keyof typeof known) => known[name] ?? null;
      return [
        qubit,
        {
          T1: figure("T1"),
          T2: figure("T2"),
          frequency: figure("frequency"),
          readoutError: figure("readoutError"),
          prob0Given1: figure("prob0Given1"),
          prob1Given0: figure("prob1Given0"),
          readoutLength: figure("readoutLength"),
          gateError,
          gateLength,
        },
      ];
    }),
  );
  return {
    ...device,
    name: device.name.toLowerCase(),
    calibration: { lastCalibrated: calibration.lastCalibrated ?? null, qubits, edges: calibration.edges },
    pricingModel: "fixed",
    ...(pricing ? { pricing } : {}),
    ...(minShots ? { minShots } : {}),
    ...(maxShots ? { maxShots } : {}),
    notes: description ? [description] : [],
  };
}
