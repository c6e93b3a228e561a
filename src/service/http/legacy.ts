import { Hono } from "hono";
import { z } from "zod";
import {
  isTerminalJob,
  LIMITS,
  OWN_VENDOR,
  type Program,
  type ResultData,
  type RuntimeDevice,
  type RuntimeJob,
  type RuntimeResult,
} from "../../contract/index.ts";
import { type CheckedJobRequest, tagsSchema } from "../../contract/schemas/index.ts";
import type { Context } from "../context.ts";
import { listDevices } from "../devices.ts";
import { badField, HttpError } from "../http-error.ts";
import { cancelJob, deleteJobs } from "../jobs/lifecycle.ts";
import { findJobs } from "../jobs/list.ts";
import { findJob, showJobs, toJob } from "../jobs/record.ts";
import { openResults, readContents } from "../jobs/results.ts";
import type { JobRow } from "../store/schema.ts";
import { createJob } from "../submission/create.ts";
import { type Admission, type CallState, checkPath, readQuery, requireAuth } from "./admission.ts";
import { type BodyReader, toBody } from "./body-reader.ts";
import { validate } from "./errors.ts";
import { integer } from "./queries.ts";

const defaultShots = 1000;

const jobBody = z.object({
  bitcode: z.string().nullish(),
  openQasm: z.string().nullish(),
  circuitNumQubits: z.int().min(1).nullish(),
  shots: z.int().min(0).nullish(),
  tags: tagsSchema.nullish(),
});

const jobsQuery = z.object({
  page: integer(1, 1e9, 1),
  limit: integer(1, LIMITS.maxPageSize, LIMITS.maxPageSize),
});

/** Version 1 of the interface: a translation of version 2, on the same jobs and under the same rules. */
export function legacyApp(context: Context, admission: Admission, readBody: BodyReader): Hono<CallState> {
  const { store, vendor = OWN_VENDOR } = context;
  const [deviceId, jobId] = [`${vendor}DeviceId`, `${vendor}JobId`];
  const app = new Hono<CallState>({ strict: false });
  const auth = requireAuth(admission, "api-key");

  app.get("/quantum-devices", auth, async call => {
    const { rows } = await listDevices(context, { page: 1, limit: context.catalogue.size });
    return call.json(rows.map(device => toLegacyDevice(device, vendor)));
  });

  app.post("/quantum-jobs", auth, async call => {
    const caller = call.get("caller");
    return readBody(call, async body => {
      const request = toRequest(validate(jobBody.extend({ [deviceId]: z.string().min(1) }), body));
      const job = await createJob(context, caller, request, { requestId: call.get("requestId") });
      const depths = await context.queue.depths([job.deviceQrn]).catch(() => new Map<string, number>());
      const queueDepth = depths.get(job.deviceQrn) ?? 0;
      return call.json(toLegacyJob({ job, vendor, program: request.program, results: [], queueDepth }), 201);
    });
  });

  app.get("/quantum-jobs", auth, async call => {
    const caller = call.get("caller");
    const query = readQuery(call.req.url);
    const { page, limit } = validate(jobsQuery, query);
    const id = query[jobId];
    const rows =
      id === undefined
        ? (await findJobs(store, caller, { page, limit })).rows
        : [await findJob(store, caller, id)];
    return call.json(await records(rows));
  });

  app.get("/quantum-jobs/result/:id", auth, checkPath, async call => {
    const { row, pieces } = await openResults(store, call.get("caller"), call.req.param("id"));
    const body = await toBody(
      legacyResultPieces(toJob(row, null), { jobId, programs: row.programs }, pieces),
    );
    return call.body(body, 200, { "Content-Type": "application/json" });
  });

  app.put("/quantum-jobs/cancel/:id", auth, checkPath, async call => {
    const caller = call.get("caller");
    const { jobQrn, ...answer } = await cancelJob(context, caller, call.req.param("id"));
    return call.json({ [jobId]: jobQrn, ...answer }, 202);
  });

  app.delete("/quantum-jobs/:ids", auth, checkPath, async call => {
    const caller = call.get("caller");
    const ids = call.req.param("ids").split(",").filter(Boolean);
    if (ids.length > LIMITS.maxDeleted) throw badField("ids", `must not be more than ${LIMITS.maxDeleted}`);
    return call.json(await deleteJobs(context, caller, ids));
  });

  return app;

  function toRequest(body: z.output<typeof jobBody>) {
    const { openQasm, bitcode, circuitNumQubits, shots, tags } = body;
    const id = String(body[deviceId as keyof typeof body]);
    if (bitcode) throw badField("bitcode", "cannot be run: send the program as openQasm");
    if (!openQasm) throw badField("openQasm", "is missing");
    const qasm = /^\s*OPENQASM\s+2/m.test(openQasm) ? "qasm2" : "qasm3";
    const device = [...context.catalogue.keys()].find(qrn => legacyDeviceId(qrn) === id);
    if (!device) throw new HttpError("NOT_FOUND", `There is no device ${id.slice(0, 200)}.`);
    return {
      deviceQrn: device,
      shots: shots ?? defaultShots,
      program: { format: qasm, data: openQasm },
      tags: tags ?? {},
      ...(circuitNumQubits ? { runtimeOptions: { circuitNumQubits } } : {}),
    } satisfies CheckedJobRequest;
  }

  async function records(rows: readonly JobRow[]): Promise<object[]> {
    const jobs = await showJobs(context, rows);
    const contents = await readContents(store, rows);
    const depths = await context.queue.depths([...new Set(rows.map(row => row.device_qrn))]);
    return rows.map((row, index) => {
      const { programs, results } = contents[index]!;
      const job = jobs[index]!;
      const queueDepth = depths.get(row.device_qrn) ?? 0;
      return toLegacyJob({ job, vendor, program: programs[0], results, queueDepth });
    });
  }
}

/** The name that version 1 has for a device: the parts of its resource name joined by underscores. */
const legacyDeviceId = (qrn: string) => qrn.replaceAll(":", "_");

function toLegacyDevice(device: RuntimeDevice, vendorCode: string): object {
  const { qrn, deviceType, providerId, name, vendor, status, numberQubits, description, queueDepth } = device;
  return {
    [`${vendorCode}DeviceId`]: legacyDeviceId(qrn),
    name,
    vendor,
    provider: providerId,
    type: deviceType,
    status,
    statusMsg: device.statusMsg,
    numberQubits,
    description,
    queueDepth,
    pricing: device.pricing,
  };
}

interface LegacyJobParts {
  job: RuntimeJob;
  /** The service's vendor code, with which the fields of identifiers begin. */
  vendor: string;
  program: Program | undefined;
  results: RuntimeResult[];
  queueDepth: number;
}

function toLegacyJob({ job, vendor, program, results, queueDepth }: LegacyJobParts): object {
  const { metadata, runtimeOptions } = job;
  return {
    _id: job.jobQrn,
    [`${vendor}JobId`]: job.jobQrn,
    [`${vendor}DeviceId`]: legacyDeviceId(job.deviceQrn),
    vendor: job.vendor,
    provider: job.provider,
    status: job.status,
    statusText: job.statusMsg,
    shots: job.shots,
    tags: job.tags,
    openQasm: program?.data ?? null,
    circuitNumQubits: runtimeOptions.circuitNumQubits ?? metadata.circuitNumQubits ?? null,
    circuitDepth: metadata.circuitDepth ?? null,
    queuePosition: job.queuePosition,
    queueDepth,
    escrow: isTerminalJob(job.status) ? 0 : job.estimatedCost,
    cost: job.cost,
    measurementCounts: countsOf(results),
    timeStamps: job.timeStamps,
  };
}

/** The counts of one program, or of each of several. */
function countsOf(results: RuntimeResult[]) {
  const counts = results.map(result => result.resultData.measurementCounts);
  return counts.length > 1 ? counts : (counts[0] ?? null);
}

/**
 * Writes the results of a job in the form of version 1: everything of one program, as it is stored, and the counts of
 * several. No more than a piece, or the line of a program of several, is in memory at a time.
 */
export async function* legacyResultPieces(
  { jobQrn, status, cost, timeStamps }: RuntimeJob,
  { jobId, programs }: { jobId: string; programs: number },
  pieces: AsyncIterable<string>,
): AsyncGenerator<string> {
  const head = JSON.stringify({ [jobId]: jobQrn, status, cost, timeStamps }).slice(0, -1);
  if (programs > 1) {
    let separator = `${head},"measurementCounts":[`;
    for await (const line of linesOf(pieces)) {
      const { measurementCounts } = JSON.parse(line) as ResultData;
      yield separator + JSON.stringify(measurementCounts);
      separator = ",";
    }
    yield "]}";
    return;
  }
  let isFirst = true;
  for await (const piece of pieces) {
    yield isFirst ? `${head},${piece.slice(1)}` : piece;
    isFirst = false;
  }
}

async function* linesOf(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = "";
  for await (const piece of pieces) {
    const [first, ...others] = piece.split("\n");
    rest += first!;
    for (const line of others) {
      yield rest;
      rest = line;
    }
  }
  yield rest;
}
