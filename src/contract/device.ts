import type { PageQuery } from "./envelope.ts";
import type { ExperimentType } from "./job.ts";
import type { DeviceStatus, OpenEnum } from "./status.ts";

export const DEVICE_TYPES = ["QPU", "SIMULATOR"] as const;

/** A kind of device. */
export type DeviceType = (typeof DEVICE_TYPES)[number];

/** Pricing model of a device: `fixed` or `dynamic`. */
export type PricingModel = "fixed" | "dynamic";

/** Prices of a device, in credits; null if unknown. */
export interface DevicePricing {
  /** Credits for each program. */
  perTask: number | null;
  /** Credits for each shot. */
  perShot: number | null;
  /** Credits for each minute that the job runs. */
  perMinute: number | null;
}

/**
 * A device as the service knows it. What a service leaves out is null; of the strings that every device should have,
 * it is the empty string, and of the status, `UNKNOWN`. Members that are not listed here pass through.
 */
export interface RuntimeDevice {
  /** Resource name, `<vendor>:<provider>:<type>:<name>`. */
  qrn: string;
  /** Name for people. */
  name: string;
  /** Code of the vendor through which the device is reached, such as `aws`. */
  vendor: string;
  /** Identifier of the provider whose device it is. */
  providerId: string | null;
  /** `QPU` or `SIMULATOR`. */
  deviceType: OpenEnum<DeviceType>;
  /** Only an `ONLINE` device takes jobs. */
  status: OpenEnum<DeviceStatus>;
  /** Reason for the device's status. */
  statusMsg: string | null;
  /** Description of the device. */
  description: string | null;
  /** Further notes. */
  notes: string | null;
  /** Kind of computing, such as `gate_model`. */
  paradigm: OpenEnum<ExperimentType> | null;
  /** Technology, such as `superconducting`. */
  modality: string | null;
  /** Qubits that a program may use; null where the service does not say. */
  numberQubits: number | null;
  /** Connected qubits; null if unknown. */
  topology: Topology | null;
  /** Program formats that the device takes. */
  runInputTypes: string[];
  /** Names of noise models that `runtimeOptions.noiseModel` may take. */
  noiseModels: string[];
  /** Minimum of shots of one program. */
  minShots: number | null;
  /** Maximum number of shots per program. */
  maxShots: number | null;
  /** Whether one job may hold several programs. */
  batchJobSupport: boolean | null;
  /** Whether prices are `fixed`, or change. */
  pricingModel: OpenEnum<PricingModel> | null;
  /** Prices in credits; null where there are none, or they are dynamic. */
  pricing: DevicePricing | null;
  /** Jobs that wait for the device. */
  queueDepth: number | null;
  /** Minutes that jobs waited lately, on average, rounded up. */
  avgQueueTime: number | null;
  /** Time when the device accepts jobs again (ISO 8601). */
  nextAvailable: string | null;
  /** Whether the device can be reached without a queue of the provider. */
  directAccess: boolean | null;
  /** Whether the service has verified the device. */
  verified: boolean | null;
  /** Whether only some may use the device. */
  private: boolean | null;
  /** Whether the device has gone permanently. */
  retired: boolean | null;
  /** Time when the service added the device (ISO 8601). */
  createdAt: string | null;
  /** Time of the last change of the record (ISO 8601). */
  updatedAt: string | null;
}

/** Filters and order of a device list. */
export interface DeviceFilter {
  /** Resource name. */
  qrn?: string;
  /** Code of the vendor, such as `aws`. */
  vendor?: string;
  /** Identifier of the provider. */
  providerId?: string;
  /** `QPU` or `SIMULATOR`. */
  deviceType?: OpenEnum<DeviceType>;
  /** Such as `ONLINE`. */
  status?: OpenEnum<DeviceStatus>;
  /** Whether retired devices are listed too. */
  retired?: boolean;
  /** Only private devices, or only public ones. */
  private?: boolean;
  /** Only verified devices, or only others. */
  verified?: boolean;
  /** Only devices with direct access, or only others. */
  directAccess?: boolean;
  /** A word of the name, description or notes. */
  search?: string;
  /** Sort key of the list. */
  sortBy?: "name" | "vendor" | "deviceType" | "status" | "numberQubits" | "createdAt" | "updatedAt";
  /** Default: `asc`. */
  sortOrder?: "asc" | "desc";
}

/** A query for a page of devices. */
export interface DeviceQuery extends DeviceFilter, PageQuery {}

/** Connections of a device's qubits, in a form that Ketbook can draw. */
export type KnownTopology = FullyConnected | SquareLattice | CouplingMap;

/** Each qubit is connected to every other. */
export interface FullyConnected {
  /** Names the kind of topology. */
  type: "fully-connected";
  /** Number of qubits. */
  qubits: number;
}

/** Each qubit of a grid is connected to its neighbours: qubit `row · cols + col` is at (row, col). */
export interface SquareLattice {
  /** Names the kind of topology. */
  type: "square-lattice";
  /** Rows of the grid. */
  rows: number;
  /** Columns of the grid. */
  cols: number;
}

/** The pairs of qubits that are connected, one by one. */
export interface CouplingMap {
  /** Names the kind of topology. */
  type: "coupling-map";
  /** Number of qubits. */
  qubits: number;
  /** Pairs of qubits. */
  edges: [number, number][];
  /** Position of each qubit: x to the right, y downwards. */
  coordinates?: [number, number][];
}

/** Connections of a device's qubits, in a form known only by name. */
export interface OtherTopology {
  /** Names the kind of topology. */
  type: string & {};
  [member: string]: unknown;
}

/** Connections of a device's qubits. */
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

/** Whether a device takes this number of shots, as far as its limits are known. */
export const takesShots = (
  { minShots, maxShots }: Pick<RuntimeDevice, "minShots" | "maxShots">,
  shots: number,
): boolean => shots >= (minShots ?? 0) && shots <= (maxShots ?? Number.POSITIVE_INFINITY);
