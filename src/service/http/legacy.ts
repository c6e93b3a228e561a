import { Hono } from "hono";
import { z } from "zod";
import { LIMITS } from "../../contract/limits.ts";
import { OWN_VENDOR } from "../../contract/qrn.ts";
import type { CheckedJobRequest } from "../../contract/request.ts";
import { tagsSchema } from "../../contract/request.ts";
import type { Context } from "../context.ts";
import { listDevices } from "../devices/devices.ts";
import { badField, HttpError } from "../http-error.ts";
import { cancelJob } from "../jobs/cancel.ts";
import { deleteJobs } from "../jobs/delete.ts";
import { findJob } from "../jobs/find.ts";
import { findJobs } from "../jobs/list.ts";
import { toJob } from "../jobs/record.ts";
import { openResults, readContents } from "../jobs/results.ts";
import { showJobs } from "../jobs/show.ts";
import type { JobRow } from "../store/schema.ts";
import { createJob } from "../submission/create.ts";
import { type Admission, requireAuth } from "./admission.ts";
import type { BodyReader } from "./body-reader.ts";
import type { CallState } from "./call-state.ts";
import { legacyDeviceId, toLegacyDevice, toLegacyJob } from "./legacy-records.ts";
import { legacyResultPieces } from "./legacy-result.ts";
import { integer } from "./queries.ts";
import { checkPath, readQuery } from "./request-url.ts";
import { toBody } from "./stream.ts";
import { validate } from "./validate.ts";

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
