import { z } from "zod";
import { EXPERIMENT_TYPES } from "./job.ts";
import type { Kit } from "./kit.ts";
import { DEVICE_STATUSES, type DeviceStatus } from "./status.ts";

/** Kinds of device. */
export const DEVICE_TYPES = ["QPU", "SIMULATOR"] as const;

/** What a device charges, in credits. */
export interface DevicePricing {
  perTask: number;
  perShot: number;
  perMinute: number;
}

/** How the qubits of a device are joined. */
export type Topology =
  | { type: "fully-connected"; qubits: number }
  | { type: "square-lattice"; rows: number; cols: number }
  | { type: "coupling-map"; qubits: number; edges: [number, number][]; coordinates?: [number, number][] };

/** A device as the service knows it. */
export interface RuntimeDevice {
  /** Resource name, `<vendor>:<provider>:<type>:<name>`. */
  qrn: string;
  name: string;
  vendor: string;
  providerId: string | null;
  deviceType: "QPU" | "SIMULATOR";
  status: DeviceStatus;
  statusMsg: string | null;
  description: string | null;
  notes: string | null;
  paradigm: string | null;
  modality: string | null;
  numberQubits: number | null;
  topology: Topology | null;
  /** Program formats that the device takes. */
  runInputTypes: string[];
  /** Names of noise models that `runtimeOptions.noiseModel` may take. */
  noiseModels: string[];
  minShots: number | null;
  maxShots: number | null;
  batchJobSupport: boolean | null;
  pricingModel: string | null;
  pricing: DevicePricing | null;
  /** Jobs that wait for the device. */
  queueDepth: number | null;
  /** Milliseconds that jobs waited lately, on average. */
  avgQueueTime: number | null;
  nextAvailable: string | null;
  directAccess: boolean | null;
  verified: boolean | null;
  private: boolean | null;
  retired: boolean | null;
  createdAt: string | null;
  updatedAt: string | null;
}

/** What a list of devices can be narrowed and ordered by. */
export interface DeviceQuery {
  qrn?: string;
  vendor?: string;
  providerId?: string;
  deviceType?: "QPU" | "SIMULATOR";
  status?: DeviceStatus;
  retired?: boolean;
  private?: boolean;
  verified?: boolean;
  directAccess?: boolean;
  /** A word of the name, description or notes. */
  search?: string;
  sortBy?: "name" | "vendor" | "deviceType" | "status" | "numberQubits" | "createdAt" | "updatedAt";
  sortOrder?: "asc" | "desc";
  page?: number;
  limit?: number;
}

/** Describes prices. */
export const pricingOf = (kit: Kit) =>
  kit.object({ perTask: kit.amount(), perShot: kit.amount(), perMinute: kit.amount() });

const pair = z.tuple([z.number(), z.number()]);

/** Describes how qubits are joined. */
export const topologyOf = (kit: Kit) =>
  z.union([
    kit.object({ type: z.literal("fully-connected"), qubits: kit.count() }),
    kit.object({ type: z.literal("square-lattice"), rows: kit.count(), cols: kit.count() }),
    kit.object({
      type: z.literal("coupling-map"),
      qubits: kit.count(),
      edges: z.array(pair),
      coordinates: z.array(pair).optional(),
    }),
  ]);

/** Describes a device. */
export const deviceOf = (kit: Kit) =>
  kit.object({
    qrn: kit.text(),
    name: kit.text(),
    vendor: kit.text(),
    providerId: kit.maybe(kit.text()),
    deviceType: kit.oneOf(DEVICE_TYPES),
    status: kit.oneOf(DEVICE_STATUSES),
    statusMsg: kit.maybe(kit.text()),
    description: kit.maybe(kit.text()),
    notes: kit.maybe(kit.text()),
    paradigm: kit.maybe(kit.oneOf(EXPERIMENT_TYPES)),
    modality: kit.maybe(kit.text()),
    numberQubits: kit.maybe(kit.count()),
    topology: kit.maybe(topologyOf(kit)),
    runInputTypes: kit.list(kit.text()),
    noiseModels: kit.list(kit.text()),
    minShots: kit.maybe(kit.count()),
    maxShots: kit.maybe(kit.count()),
    batchJobSupport: kit.maybe(kit.flag()),
    pricingModel: kit.maybe(kit.text()),
    pricing: kit.maybe(pricingOf(kit)),
    queueDepth: kit.maybe(kit.count()),
    avgQueueTime: kit.maybe(kit.amount()),
    nextAvailable: kit.maybe(kit.time()),
    directAccess: kit.maybe(kit.flag()),
    verified: kit.maybe(kit.flag()),
    private: kit.maybe(kit.flag()),
    retired: kit.maybe(kit.flag()),
    createdAt: kit.maybe(kit.time()),
    updatedAt: kit.maybe(kit.time()),
  });
