import type { Client } from "../../src/client/client.ts";
import { cancelJob, fetchResult } from "../../src/client/patience.ts";
import type { RuntimeJob } from "../../src/contract/job.ts";
import { fastTiming } from "./answering.ts";

/** The job that operations are called on. */
export const QRN = "svc:svc:sim:statevector-0000-qjob-000000000000000000000001";

const job = (status: string) => ({ jobQrn: QRN, deviceQrn: "svc:svc:sim:statevector", status, shots: 1 });
const group = { groupJobQrn: "group:1", status: "OPEN" };
const device = { qrn: "svc:svc:sim:statevector", name: "State vector", status: "ONLINE" };
const program = { format: "qasm3", data: "OPENQASM 3.0;" };

/** One thing that a client can be asked for. */
export interface Operation {
  name: string;
  call(client: Client, options?: { timeout?: number }): Promise<unknown>;
  /** Whether its errors name the job. */
  aboutJob?: boolean;
  /** Whether it makes something. */
  submits?: boolean;
  /** Statuses that it waits out though others would fail at them. */
  patientWith?: readonly number[];
}

/** What the service answers once it is well, by method and path. */
export function wellAnswer(method: string, path: string): unknown {
  const [, rest = ""] = /^\/api\/v1(\/[^?]*)/.exec(path) ?? [];
  const at = `${method} ${decodeURIComponent(rest)}`;
  const answers: Record<string, unknown> = {
    "POST /jobs": job("INITIALIZING"),
    "GET /jobs": [job("RUNNING")],
    "DELETE /jobs": { successfulIds: [QRN], failedIds: {}, stillRunning: [] },
    "GET /jobs/summary": { total: 1, statuses: {}, experimentTypes: {}, deviceTypes: {} },
    "GET /jobs/statuses": { RUNNING: 1 },
    "GET /jobs/cost-estimate": { pricingAvailable: true, estimatedCost: 1 },
    [`GET /jobs/${QRN}`]: job("COMPLETED"),
    [`DELETE /jobs/${QRN}`]: { message: "Deleted.", jobQrn: QRN, stillRunning: false },
    [`POST /jobs/${QRN}/cancel`]: { message: "Cancelling.", jobQrn: QRN, status: "CANCELLING" },
    [`GET /jobs/${QRN}/result`]: { status: "COMPLETED", resultData: { measurementCounts: { "0": 1 } } },
    [`GET /jobs/${QRN}/program`]: program,
    [`GET /jobs/${QRN}/compiled-program`]: program,
    [`GET /jobs/${QRN}/program/ascii`]: { format: "ascii", circuits: [{ index: 0, ascii: "q: ─" }] },
    "POST /jobs/group": group,
    "GET /jobs/group": [group],
    "GET /jobs/group/group:1": group,
    "GET /jobs/group/group:1/jobs": [job("RUNNING")],
    "POST /jobs/group/group:1/close": group,
    "POST /jobs/group/group:1/cancel": group,
    "GET /devices": [device],
    [`GET /devices/${device.qrn}`]: device,
    [`GET /devices/${device.qrn}/calibrations`]: { deviceQrn: device.qrn, qubits: {}, edges: {} },
    "GET /billing/credits/balance": {
      organizationId: "o",
      svcCredits: 1,
      awsCredits: 0,
      autoRecharge: false,
    },
    "GET /billing/credits/pricing": { usdPerCredit: 0.01, currency: "USD", minimumPurchase: 1, packs: [] },
    "GET /usage/simulator": [],
    "GET /usage/simulator/series": [],
  };
  if (!Object.hasOwn(answers, at)) throw new Error(`No test answers ${at}.`);
  return answers[at];
}

const request = { deviceQrn: device.qrn, shots: 1, program };

/** Every operation of the client. */
export const operations: readonly Operation[] = [
  { name: "jobs.create", submits: true, call: ({ jobs }, o) => jobs.create(request, o) },
  { name: "jobs.get", aboutJob: true, call: ({ jobs }, o) => jobs.get(QRN, o) },
  { name: "jobs.list", call: async ({ jobs }, o) => jobs.list({}, o) },
  { name: "jobs.result", aboutJob: true, call: ({ jobs }, o) => jobs.result(QRN, o) },
  { name: "jobs.program", aboutJob: true, call: ({ jobs }, o) => jobs.program(QRN, o) },
  { name: "jobs.compiledProgram", aboutJob: true, call: ({ jobs }, o) => jobs.compiledProgram(QRN, o) },
  { name: "jobs.ascii", aboutJob: true, call: ({ jobs }, o) => jobs.ascii(QRN, o) },
  { name: "jobs.cancel", aboutJob: true, call: ({ jobs }, o) => jobs.cancel(QRN, o) },
  { name: "jobs.delete", aboutJob: true, call: ({ jobs }, o) => jobs.delete(QRN, o) },
  { name: "jobs.deleteMany", call: ({ jobs }, o) => jobs.deleteMany([QRN], o) },
  { name: "jobs.quote", call: ({ jobs }, o) => jobs.quote({ deviceQrn: device.qrn }, o) },
  { name: "jobs.summary", call: ({ jobs }, o) => jobs.summary(o) },
  { name: "jobs.statuses", call: ({ jobs }, o) => jobs.statuses(o) },
  { name: "groups.create", submits: true, call: ({ groups }, o) => groups.create({}, o) },
  { name: "groups.list", call: async ({ groups }, o) => groups.list({}, o) },
  { name: "groups.get", call: ({ groups }, o) => groups.get("group:1", o) },
  { name: "groups.jobs", call: ({ groups }, o) => groups.jobs("group:1", o) },
  { name: "groups.close", call: ({ groups }, o) => groups.close("group:1", o) },
  { name: "groups.cancel", call: ({ groups }, o) => groups.cancel("group:1", o) },
  { name: "devices.list", call: async ({ devices }, o) => devices.list({}, o) },
  { name: "devices.get", call: ({ devices }, o) => devices.get(device.qrn, o) },
  { name: "devices.calibrations", call: ({ devices }, o) => devices.calibrations(device.qrn, o) },
  { name: "account.balance", call: ({ account }, o) => account.balance(o) },
  { name: "account.pricing", call: ({ account }, o) => account.pricing(o) },
  { name: "account.usage", call: ({ account }, o) => account.usage(o) },
  {
    name: "account.usageSeries",
    call: ({ account }, o) => account.usageSeries({ deviceQrn: device.qrn }, o),
  },
  {
    name: "watch",
    aboutJob: true,
    patientWith: [300, 400, 402, 409, 410, 413, 422],
    call: ({ watch }) => watch(job("RUNNING") as RuntimeJob),
  },
  {
    name: "fetchResult",
    aboutJob: true,
    patientWith: [404],
    call: ({ jobs }) => fetchResult(jobs, QRN, { timing: fastTiming }),
  },
  {
    name: "cancelJob",
    aboutJob: true,
    patientWith: [],
    call: ({ jobs }) => cancelJob(jobs, QRN, { timing: fastTiming }),
  },
];
