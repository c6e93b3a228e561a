import type { RuntimeDevice } from "../../src/contract/device.ts";
import type { JobGroup } from "../../src/contract/group.ts";
import type { RuntimeJob } from "../../src/contract/job.ts";

/** A moment that all records of these tests are seen from. */
export const now = Date.parse("2026-11-21T10:30:00Z");

/** Texts that someone might send to break a page, a terminal or a layout. */
export const hostileTexts: readonly string[] = [
  "<script>alert(1)</script>",
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  "<svg/onload=alert(1)>",
  "</td></table><style>*{display:none}</style>",
  "javascript:alert(1)",
  "\u001b[31mred\u001b[0m\u001b]8;;http://evil/\u0007link\u001b]8;;\u0007",
  "\u009b31m\u0000\u0008\u007f",
  "abc\u202egnp.exe\u2066\u2069\u200f",
  "line\nbreak\r\nand\ttab\u2028more",
  "$\u007balert(1)} {{7*7}} `x` &lt;b&gt;",
  "'] + alert(1) + datum.constructor['",
  "\ud800 lone \udfff",
  `a${"\u0301".repeat(500)}`,
  "x".repeat(1_000_000),
  "\u{e0041}\u{e0042}\ufeff",
];

/** A device; `over` replaces members of it. */
export function device(over: Partial<RuntimeDevice> = {}): RuntimeDevice {
  return {
    qrn: "svc:svc:sim:statevector",
    name: "State vector",
    vendor: "svc",
    providerId: "svc",
    deviceType: "SIMULATOR",
    status: "ONLINE",
    statusMsg: null,
    description: "Dense state vector.",
    notes: null,
    paradigm: "gate_model",
    modality: "state vector",
    numberQubits: 26,
    topology: { type: "fully-connected", qubits: 26 },
    runInputTypes: ["qasm3", "qasm2"],
    noiseModels: [],
    minShots: 0,
    maxShots: 100_000,
    batchJobSupport: true,
    pricingModel: "fixed",
    pricing: { perTask: 0, perShot: 0, perMinute: 7.5 },
    queueDepth: 0,
    avgQueueTime: 42,
    nextAvailable: null,
    directAccess: true,
    verified: true,
    private: false,
    retired: false,
    createdAt: "2026-01-01T00:00:00Z",
    updatedAt: null,
    ...over,
  };
}

/** A job; `over` replaces members of it. */
export function job(over: Partial<RuntimeJob> = {}): RuntimeJob {
  return {
    jobQrn: "svc:svc:sim:statevector-1a2b-qjob-0123456789abcdef01234567",
    batchJobQrn: null,
    name: "Bell pair",
    deviceQrn: "svc:svc:sim:statevector",
    vendor: "svc",
    provider: "svc",
    experimentType: "gate_model",
    status: "COMPLETED",
    statusMsg: null,
    queuePosition: null,
    shots: 1000,
    numCircuits: 1,
    groupJobQrn: null,
    estimatedCost: 0.375,
    cost: 0.375,
    tags: { lab: "tour", run: 3, good: true },
    metadata: {},
    runtimeOptions: {},
    timeStamps: {
      createdAt: "2026-11-21T10:27:03.120Z",
      endedAt: "2026-11-21T10:27:04.420Z",
      executionDuration: 12,
    },
    createdAt: "2026-11-21T10:27:03.120Z",
    updatedAt: null,
    ...over,
  };
}

/** A group of forty jobs; `over` replaces members of it. */
export function group(over: Partial<JobGroup> = {}): JobGroup {
  return {
    groupJobQrn: "group:0123456789abcdef",
    name: "Sweep of θ",
    status: "OPEN",
    jobCount: 40,
    completedCount: 22,
    failedCount: 2,
    cancelledCount: 3,
    maxTTL: 3600,
    tags: {},
    metadata: {},
    createdAt: "2026-11-21T10:20:00Z",
    updatedAt: null,
    expiresAt: "2026-11-21T11:20:00Z",
    ...over,
  };
}
