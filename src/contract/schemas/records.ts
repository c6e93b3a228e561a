import { z } from "zod";
import { DEVICE_TYPES } from "../device.ts";
import { EXPERIMENT_TYPES } from "../job.ts";
import { OWN_VENDOR } from "../qrn.ts";
import { DEVICE_STATUSES, GROUP_STATUSES, JOB_STATUSES } from "../status.ts";

const tagValue = z.union([z.string(), z.number(), z.boolean()]);

export const jobTimesSchema = z.strictObject({
  createdAt: z.nullable(z.iso.datetime()),
  endedAt: z.nullable(z.iso.datetime()),
  executionDuration: z.nullable(z.int().min(0)),
});

export const jobSchema = z.strictObject({
  jobQrn: z.string(),
  batchJobQrn: z.nullable(z.string()),
  name: z.nullable(z.string()),
  deviceQrn: z.string(),
  vendor: z.nullable(z.string()),
  provider: z.nullable(z.string()),
  experimentType: z.enum(EXPERIMENT_TYPES),
  status: z.enum(JOB_STATUSES),
  statusMsg: z.nullable(z.string()),
  queuePosition: z.nullable(z.int().min(0)),
  shots: z.int().min(0),
  numCircuits: z.nullable(z.int().min(0)),
  groupJobQrn: z.nullable(z.string()),
  estimatedCost: z.number(),
  cost: z.nullable(z.number()),
  tags: z.record(z.string(), tagValue),
  metadata: z.record(z.string(), z.unknown()),
  runtimeOptions: z.record(z.string(), z.unknown()),
  timeStamps: jobTimesSchema,
  createdAt: z.nullable(z.iso.datetime()),
  updatedAt: z.nullable(z.iso.datetime()),
});

export const jobGroupSchema = z.strictObject({
  groupJobQrn: z.string(),
  name: z.nullable(z.string()),
  status: z.enum(GROUP_STATUSES),
  jobCount: z.int().min(0),
  completedCount: z.int().min(0),
  failedCount: z.int().min(0),
  cancelledCount: z.int().min(0),
  maxTTL: z.int().min(0),
  tags: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  metadata: z.record(z.string(), z.unknown()),
  createdAt: z.nullable(z.iso.datetime()),
  updatedAt: z.nullable(z.iso.datetime()),
  expiresAt: z.nullable(z.iso.datetime()),
});

export const programSchema = z.strictObject({
  format: z.string(),
  data: z.string(),
  files: z.record(z.string(), z.string()).optional(),
});

export const programsSchema = z.union([programSchema, z.array(programSchema)]);

export const programAsciiSchema = z.strictObject({
  format: z.literal("ascii"),
  circuits: z.array(z.strictObject({ index: z.int().min(0), ascii: z.string() })),
});

export const quoteSchema = z.discriminatedUnion("pricingAvailable", [
  z.looseObject({
    pricingAvailable: z.literal(true),
    estimatedCost: z.number(),
    deviceQrn: z.string(),
    shots: z.int().min(0),
    programs: z.int().min(1).optional(),
    breakdown: z.strictObject({ task: z.number(), shots: z.number(), time: z.number() }),
    basis: z.string(),
  }),
  z.looseObject({
    pricingAvailable: z.literal(false),
    reason: z.string(),
    deviceQrn: z.string(),
    pricingModel: z.nullable(z.string()),
  }),
]);

export const resultSchema = z.strictObject({
  status: z.string(),
  cost: z.nullable(z.number()),
  timeStamps: jobTimesSchema,
  resultData: z.strictObject({
    measurementCounts: z.nullable(z.record(z.string(), z.number())),
    packedCounts: z.strictObject({ pattern: z.string(), codes: z.string(), counts: z.string() }).nullish(),
    packedMeasurements: z
      .strictObject({
        pattern: z.string(),
        codes: z.string(),
        outputs: z.record(z.string(), z.tuple([z.int().min(0), z.int().min(0)])).nullish(),
      })
      .nullish(),
    registers: z.array(z.strictObject({ name: z.string(), size: z.int().min(0) })).nullish(),
    measurements: z.array(z.union([z.array(z.int().min(0).max(1)), z.string()])).nullish(),
    outputs: z.array(z.record(z.string(), z.unknown())).nullish(),
    measurementProbabilities: z.record(z.string(), z.number()).nullish(),
    statevector: z.array(z.number()).nullish(),
    expectations: z
      .array(
        z.strictObject({
          observable: z.union([z.string(), z.record(z.string(), z.number())]),
          value: z.number(),
          variance: z.number().min(0),
          shots: z.int().min(0),
          standardError: z.number().min(0).optional(),
          low: z.number().optional(),
          high: z.number().optional(),
        }),
      )
      .nullish(),
    estimatedFidelity: z.number().min(0).max(1).nullish(),
  }),
});

export const resultsSchema = z.union([resultSchema, z.array(resultSchema)]);

const figures = z.strictObject({ total: z.number(), average: z.number() });

export const jobsSummarySchema = z.strictObject({
  total: z.int().min(0),
  statuses: z.record(z.string(), z.int().min(0)),
  experimentTypes: z.record(z.string(), z.int().min(0)),
  deviceTypes: z.record(z.string(), z.int().min(0)),
  cost: figures,
  shots: figures,
});

export const jobsStatusesSchema = z.record(z.string(), z.int().min(0));

export const jobsDeletedSchema = z.strictObject({
  successfulIds: z.array(z.string()),
  failedIds: z.record(z.string(), z.string()),
  stillRunning: z.array(z.string()),
});

export const jobDeletedSchema = z.strictObject({
  message: z.string(),
  jobQrn: z.string(),
  deletedAt: z.nullable(z.iso.datetime()),
  stillRunning: z.boolean(),
});

export const jobCancelledSchema = z.strictObject({
  message: z.string(),
  jobQrn: z.string(),
  status: z.string(),
});

export const pricingSchema = z.strictObject({
  perTask: z.number(),
  perShot: z.number(),
  perMinute: z.number(),
});

const pair = z.tuple([z.number(), z.number()]);

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
  avgQueueTime: z.nullable(z.int().min(0)),
  nextAvailable: z.nullable(z.iso.datetime()),
  directAccess: z.nullable(z.boolean()),
  verified: z.nullable(z.boolean()),
  private: z.nullable(z.boolean()),
  retired: z.nullable(z.boolean()),
  createdAt: z.nullable(z.iso.datetime()),
  updatedAt: z.nullable(z.iso.datetime()),
});

const error = z.number().min(0).max(1);
const time = z.number().min(0);
const edgeFigures = (value: typeof error) =>
  z.record(z.string(), z.array(z.strictObject({ source: z.int().min(0), target: z.int().min(0), value })));

export const calibrationSchema = z.strictObject({
  deviceQrn: z.string(),
  provider: z.nullable(z.string()),
  lastCalibrated: z.nullable(z.iso.datetime()),
  fetchedAt: z.nullable(z.iso.datetime()),
  qubits: z.record(
    z.string(),
    z.strictObject({
      T1: z.nullable(time),
      T2: z.nullable(time),
      frequency: z.nullable(z.number().min(0)),
      readoutError: z.nullable(error),
      prob0Given1: z.nullable(error),
      prob1Given0: z.nullable(error),
      readoutLength: z.nullable(time),
      gateError: z.record(z.string(), error),
      gateLength: z.record(z.string(), time),
    }),
  ),
  edges: z.strictObject({ gateError: edgeFigures(error), gateLength: edgeFigures(time) }),
});

const userBudgetSchema = z.strictObject({
  ownCredits: z.boolean(),
  storedBytes: z.int().min(0),
  maxStoredBytes: z.nullable(z.int().min(0)),
  waitingJobs: z.int().min(0),
  maxWaitingJobs: z.nullable(z.int().min(0)),
});

const otherBalances = {
  awsCredits: z.number(),
  autoRecharge: z.boolean(),
  budget: userBudgetSchema.optional(),
};

export const balanceSchemaOf = (vendor: string) =>
  z.strictObject({ organizationId: z.string(), [`${vendor}Credits`]: z.number(), ...otherBalances });

export const creditBalanceSchema = balanceSchemaOf(OWN_VENDOR);

export const keyOwnerSchema = z.strictObject({
  userId: z.string(),
  organizationId: z.string(),
  organizationUserId: z.string(),
});

export const creditPricingSchema = z.strictObject({
  usdPerCredit: z.number(),
  currency: z.string(),
  minimumPurchase: z.number(),
  packs: z.array(z.strictObject({ credits: z.number(), price: z.number() })),
});

export const simulatorUsageSchema = z.array(
  z.strictObject({
    deviceQrn: z.string(),
    tier: z.string(),
    dailyLimit: z.nullable(z.int().min(0)),
    used: z.int().min(0),
    remaining: z.nullable(z.int().min(0)),
    resetsAt: z.iso.datetime(),
  }),
);

export const usageSeriesSchema = z.array(z.strictObject({ date: z.string(), count: z.int().min(0) }));

export const errorBodySchema = z.strictObject({
  success: z.literal(false),
  message: z.string(),
  error: z.strictObject({
    message: z.string(),
    code: z.string(),
    details: z.array(z.strictObject({ path: z.string(), message: z.string() })).optional(),
  }),
  requestId: z.string(),
  timestamp: z.iso.datetime(),
});

export const paginationSchema = z.strictObject({
  page: z.int().min(0),
  limit: z.int().min(0),
  total: z.int().min(0),
  totalPages: z.int().min(0),
  hasNext: z.boolean(),
  hasPrev: z.boolean(),
});

export const successOf = <T>(data: z.ZodType<T>) => z.strictObject({ success: z.literal(true), data });

export const pageOf = <T>(row: z.ZodType<T>) =>
  z.strictObject({
    success: z.literal(true),
    data: z.array(row),
    pagination: paginationSchema,
    meta: z.strictObject({ timestamp: z.iso.datetime() }),
  });
