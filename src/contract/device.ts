import { z } from "zod";
import type { PageQuery } from "./envelope.ts";
import { EXPERIMENT_TYPES, type ExperimentType } from "./job.ts";
import { DEVICE_STATUSES, type DeviceStatus, type OpenEnum } from "./status.ts";

/** Kinds of device. */
export const DEVICE_TYPES = ["QPU", "SIMULATOR"] as const;

/** A kind of device. */
export type DeviceType = (typeof DEVICE_TYPES)[number];

/** What a device charges, in credits; null where the service does not say. */
export interface DevicePricing {
  perTask: number | null;
  perShot: number | null;
  perMinute: number | null;
}

/** How the qubits of a device are connected, in one of the ways that Ketbook can draw. */
export type KnownTopology =
  | { type: "fully-connected"; qubits: number }
  | { type: "square-lattice"; rows: number; cols: number }
  | { type: "coupling-map"; qubits: number; edges: [number, number][]; coordinates?: [number, number][] };

/** How the qubits of a device are connected, in a way that only its name tells. */
export interface OtherTopology {
  type: string & {};
  [member: string]: unknown;
}

/** How the qubits of a device are connected. */
export type Topology = KnownTopology | OtherTopology;

const topologyTypes: readonly string[] = [
  "fully-connected",
  "square-lattice",
  "coupling-map",
] satisfies KnownTopology["type"][];

/** Whether Ketbook knows what a topology of this type means. */
export function isKnownTopology(topology: Topology | null): topology is KnownTopology {
  return topology !== null && topologyTypes.includes(topology.type);
}

/**
 * A device as the service knows it. What a service leaves out is null; of the texts that every device should have,
 * it is the empty text, and of the status, `UNKNOWN`. Members that are not listed here pass through.
 */
export interface RuntimeDevice {
  /** Resource name, `<vendor>:<provider>:<type>:<name>`. */
  qrn: string;
  name: string;
  vendor: string;
  providerId: string | null;
  deviceType: OpenEnum<DeviceType>;
  status: OpenEnum<DeviceStatus>;
  statusMsg: string | null;
  description: string | null;
  notes: string | null;
  paradigm: OpenEnum<ExperimentType> | null;
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
export interface DeviceFilter {
  qrn?: string;
  vendor?: string;
  providerId?: string;
  deviceType?: DeviceType;
  status?: DeviceStatus;
  retired?: boolean;
  private?: boolean;
  verified?: boolean;
  directAccess?: boolean;
  /** A word of the name, description or notes. */
  search?: string;
  sortBy?: "name" | "vendor" | "deviceType" | "status" | "numberQubits" | "createdAt" | "updatedAt";
  sortOrder?: "asc" | "desc";
}

/** Asks for a page of devices. */
export interface DeviceQuery extends DeviceFilter, PageQuery {}

/** Describes prices. */
export const pricingSchema = z.strictObject({
  perTask: z.number(),
  perShot: z.number(),
  perMinute: z.number(),
});

const pair = z.tuple([z.number(), z.number()]);

/** Describes how qubits are joined. */
export const topologySchema = z.union([
  z.strictObject({ type: z.literal("fully-connected"), qubits: z.int().min(0) }),
  z.strictObject({ type: z.literal("square-lattice"), rows: z.int().min(0), cols: z.int().min(0) }),
  z.strictObject({
    type: z.literal("coupling-map"),
    qubits: z.int().min(0),
    edges: z.array(pair),
    coordinates: z.array(pair).optional(),
  }),
]);

/** Describes a device. */
export const deviceSchema = z.strictObject({
  qrn: z.string(),
  name: z.string(),
  vendor: z.string(),
  providerId: z.nullable(z.string()),
  deviceType: z.enum(DEVICE_TYPES),
  status: z.enum(DEVICE_STATUSES),
  statusMsg: z.nullable(z.string()),
  description: z.nullable(z.string()),
  notes: z.nullable(z.string()),
  paradigm: z.nullable(z.enum(EXPERIMENT_TYPES)),
  modality: z.nullable(z.string()),
  numberQubits: z.nullable(z.int().min(0)),
  topology: z.nullable(topologySchema),
  runInputTypes: z.array(z.string()),
  noiseModels: z.array(z.string()),
  minShots: z.nullable(z.int().min(0)),
  maxShots: z.nullable(z.int().min(0)),
  batchJobSupport: z.nullable(z.boolean()),
  pricingModel: z.nullable(z.string()),
  pricing: z.nullable(pricingSchema),
  queueDepth: z.nullable(z.int().min(0)),
  avgQueueTime: z.nullable(z.number()),
  nextAvailable: z.nullable(z.iso.datetime()),
  directAccess: z.nullable(z.boolean()),
  verified: z.nullable(z.boolean()),
  private: z.nullable(z.boolean()),
  retired: z.nullable(z.boolean()),
  createdAt: z.nullable(z.iso.datetime()),
  updatedAt: z.nullable(z.iso.datetime()),
});
