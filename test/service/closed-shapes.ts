import { z } from "zod";

/** The vendor code of the service, and the vendors and providers that its clients have in their lists. */
export const own = "lab";
const vendors = z.enum(["aws", "azure", "ibm", "ionq", own]);
const providers = z.enum(["aqt", "aws", "azure", "ibm", "ionq", "iqm", "quera", "rigetti", own]);
const count = z.int().min(0);
const credits = z.number().min(0);
const time = z.iso.datetime();
const text = z.string().min(1);
const tags = z.record(z.string(), z.union([z.string(), z.int(), z.boolean()]));
const statuses = z.enum(
  "INITIALIZING QUEUED VALIDATING RUNNING CANCELLING CANCELLED COMPLETED FAILED".split(" "),
);
const paradigms = z.enum(["gate_model", "analog", "annealing", "other"]);
const edges = z.record(
  z.string(),
  z.array(z.strictObject({ source: count, target: count, value: z.number() })),
);
const figures = z.record(z.string(), z.number());

/*
 * Records as clients of other makers read them: closed, with whole numbers where they have integers, and null only where
 * they have it.
 */

export const device = z.strictObject({
  qrn: text,
  name: text,
  vendor: vendors,
  providerId: text,
  deviceType: z.enum(["SIMULATOR", "QPU"]),
  runInputTypes: z.array(z.string()).min(1),
  status: z.enum(["ONLINE", "OFFLINE", "UNAVAILABLE", "RETIRED"]),
  statusMsg: z.string().nullable(),
  description: z.string().nullable(),
  notes: z.string().nullable(),
  nextAvailable: time.nullable(),
  queueDepth: count.nullable(),
  avgQueueTime: count.nullable(),
  numberQubits: count.nullable(),
  paradigm: paradigms,
  modality: z.string().nullable(),
  topology: z
    .union([
      z.strictObject({ type: z.literal("fully-connected"), qubits: count }),
      z.strictObject({ type: z.literal("square-lattice"), rows: count, cols: count }),
      z.strictObject({
        type: z.literal("coupling-map"),
        qubits: count,
        edges: z.array(z.tuple([count, count])),
        coordinates: z.array(z.tuple([z.number(), z.number()])).optional(),
      }),
    ])
    .nullable(),
  noiseModels: z.array(z.string()),
  minShots: count.nullable(),
  maxShots: count.nullable(),
  batchJobSupport: z.boolean(),
  pricingModel: z.enum(["fixed", "dynamic"]).nullable(),
  pricing: z.strictObject({ perTask: credits, perShot: credits, perMinute: credits }).nullable(),
  directAccess: z.boolean(),
  verified: z.boolean(),
  private: z.boolean(),
  retired: z.boolean(),
  createdAt: time,
  updatedAt: time,
});

const timeStamps = z.strictObject({
  createdAt: time,
  endedAt: time.nullable(),
  executionDuration: count.nullable(),
});

export const job = z.strictObject({
  jobQrn: z.string().regex(/-[0-9a-f]{4}-qjob-[0-9a-f]{24}$/),
  batchJobQrn: z.string().nullable(),
  name: z.string().nullable(),
  deviceQrn: text,
  vendor: vendors,
  provider: providers,
  status: statuses,
  statusMsg: z.string().nullable(),
  experimentType: paradigms,
  queuePosition: count.nullable(),
  numCircuits: z.int().min(1),
  groupJobQrn: z.string().nullable(),
  runtimeOptions: z.record(z.string(), z.unknown()),
  timeStamps,
  cost: credits.nullable(),
  estimatedCost: credits,
  metadata: z.record(z.string(), z.unknown()),
  shots: count,
  tags,
  createdAt: time,
  updatedAt: time,
});

export const result = z.strictObject({
  status: z.literal("COMPLETED"),
  cost: credits,
  timeStamps,
  resultData: z.strictObject({
    measurementCounts: z.record(z.string().regex(/^[01]+$/), z.int().min(1)),
    measurements: z.array(z.array(z.union([z.literal(0), z.literal(1)]))).optional(),
    registers: z.array(z.strictObject({ name: text, size: z.int().min(1) })),
    outputs: z.array(z.record(z.string(), z.string())).optional(),
  }),
});

export const group = z.strictObject({
  groupJobQrn: z.string().startsWith("group:"),
  name: z.string().nullable(),
  status: z.enum(["OPEN", "CLOSED", "COMPLETED", "FAILED", "CANCELLED"]),
  jobCount: count,
  completedCount: count,
  failedCount: count,
  cancelledCount: count,
  maxTTL: z.int().min(1),
  tags,
  metadata: z.record(z.string(), z.unknown()),
  createdAt: time,
  updatedAt: time,
  expiresAt: time,
});

export const program = z.strictObject({ format: text, data: text });
export const drawing = z.strictObject({
  format: z.literal("ascii"),
  circuits: z.array(z.strictObject({ index: count, ascii: text })),
});
export const cancelled = z.strictObject({ message: text, jobQrn: text, status: statuses });
export const deleted = z.strictObject({
  message: text,
  jobQrn: text,
  deletedAt: time,
  stillRunning: z.boolean(),
});
export const deletedJobs = z.strictObject({
  successfulIds: z.array(text),
  failedIds: z.record(z.string(), text),
  stillRunning: z.array(text),
});
export const jobStatuses = z.partialRecord(z.union([statuses, z.enum(["HOLD", "UNKNOWN"])]), count);
const totals = z.strictObject({ total: z.number(), average: z.number() });
export const summary = z.strictObject({
  total: count,
  statuses: z.record(z.string(), count),
  experimentTypes: z.record(z.string(), count),
  deviceTypes: z.record(z.string(), count),
  cost: totals,
  shots: totals,
});
export const quote = z.union([
  z.strictObject({
    pricingAvailable: z.literal(true),
    estimatedCost: credits,
    deviceQrn: text,
    shots: count,
    programs: z.int().min(1),
    breakdown: z.strictObject({ task: credits, shots: credits, time: credits }),
    basis: text,
  }),
  z.strictObject({
    pricingAvailable: z.literal(false),
    reason: z.enum(["no_pricing_configured", "dynamic_pricing_unavailable"]),
    deviceQrn: text,
    pricingModel: z.enum(["fixed", "dynamic"]).nullable(),
  }),
]);
export const calibration = z.strictObject({
  deviceQrn: text,
  provider: providers,
  lastCalibrated: time,
  fetchedAt: time,
  qubits: z.record(
    z.string().regex(/^\d+$/),
    z.strictObject({
      T1: z.number().nullable(),
      T2: z.number().nullable(),
      frequency: z.number().nullable(),
      readoutError: z.number().nullable(),
      prob0Given1: z.number().nullable(),
      prob1Given0: z.number().nullable(),
      readoutLength: z.number().nullable(),
      gateError: figures,
      gateLength: figures,
    }),
  ),
  edges: z.strictObject({ gateError: edges, gateLength: edges }),
});
export const balance = z.strictObject({
  organizationId: text,
  [`${own}Credits`]: z.number(),
  awsCredits: z.number(),
  autoRecharge: z.boolean(),
});
export const pricing = z.strictObject({
  usdPerCredit: z.number(),
  currency: z.literal("USD"),
  minimumPurchase: z.number(),
  packs: z.array(z.strictObject({ credits, price: credits })),
});
export const usage = z.strictObject({
  deviceQrn: text,
  tier: text,
  dailyLimit: count.nullable(),
  used: count,
  remaining: count.nullable(),
  resetsAt: time,
});
export const day = z.strictObject({ date: z.iso.date(), count });

/** Records of version 1. */
export const oldDevice = z.strictObject({
  [`${own}DeviceId`]: z.string().regex(/^\w+/),
  name: text,
  vendor: vendors,
  provider: text,
  type: z.enum(["SIMULATOR", "QPU"]),
  status: z.enum(["ONLINE", "OFFLINE", "UNAVAILABLE", "RETIRED"]),
  statusMsg: z.string().nullable(),
  numberQubits: count.nullable(),
  description: z.string().nullable(),
  queueDepth: count.nullable(),
  pricing: z.strictObject({ perTask: credits, perShot: credits, perMinute: credits }).nullable(),
});
export const oldJob = z.strictObject({
  _id: text,
  [`${own}JobId`]: text,
  [`${own}DeviceId`]: text,
  vendor: vendors,
  provider: providers,
  status: statuses,
  statusText: z.string().nullable(),
  shots: count,
  tags,
  openQasm: text,
  circuitNumQubits: count.nullable(),
  circuitDepth: count.nullable(),
  queuePosition: count.nullable(),
  queueDepth: count,
  escrow: credits,
  cost: credits.nullable(),
  measurementCounts: z.record(z.string().regex(/^[01]+$/), z.int().min(1)).nullable(),
  timeStamps,
});
