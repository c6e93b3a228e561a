import type { Body } from "../serving.ts";

/** A service and the keys of users, by which all that it answers is read. */
export interface Readable {
  url: string;
  legacyUrl: string;
  keys: readonly string[];
  /** Jobs and groups to ask for, by every user, and also where they are deleted or another's. */
  jobs: readonly string[];
  groups: readonly string[];
}

const LISTS = [
  "/jobs?limit=100",
  "/jobs?limit=2&page=2",
  ...["all", "pending", "returned"].map(group => `/jobs?statusGroup=${group}`),
  ...["COMPLETED", "FAILED", "CANCELLED", "QUEUED", "CANCELLING"].map(status => `/jobs?status=${status}`),
  ...["ibm", "svc"].map(vendor => `/jobs?vendor=${vendor}`),
  "/jobs?search=ghz",
  `/jobs?tags=${encodeURIComponent('{"kind":"ÄÖ","n":3,"ok":true}')}`,
  "/jobs/summary",
  "/jobs/statuses",
  "/jobs/group?limit=100",
  "/jobs/group?status=OPEN",
  "/devices?limit=100",
  "/devices?sortBy=numberQubits&sortOrder=desc",
  "/billing/credits/balance",
  "/billing/credits/pricing",
  "/usage/simulator",
];

/** Reads every answer to a GET that the interface has, in both versions, by what was asked and with whose key. */
export async function readEverything(subject: Readable): Promise<Map<string, unknown>> {
  const answers = new Map<string, unknown>();
  for (const [user, key] of subject.keys.entries()) {
    const read = async (base: string, header: string, path: string) => {
      const answer = await fetch(`${base}${path}`, { headers: { [header]: key } });
      const body = withoutTime(await answer.json());
      answers.set(`${user} ${header} ${path}`, { status: answer.status, body });
      return body;
    };
    const get = (path: string) => read(subject.url, "x-api-key", path);
    for (const path of LISTS) await get(path);
    const devices: Body = await get("/devices?limit=100&page=1");
    // Devices are the same for all who see them: others than the first look into some.
    const seen = devices.data?.filter((_: Body, at: number) => user === 0 || at % 5 === 0);
    for (const { qrn, deviceType } of seen ?? []) {
      await get(`/devices/${qrn}`);
      await get(`/devices/${qrn}/calibrations`);
      await get(`/jobs/cost-estimate?deviceQrn=${qrn}&shots=500&programs=3`);
      if (deviceType === "SIMULATOR") await get(`/usage/simulator/series?deviceQrn=${qrn}&days=0`);
    }
    // A key that is refused is so before a job is looked for.
    const jobs = devices.data ? subject.jobs : subject.jobs.slice(0, 2);
    for (const qrn of jobs) {
      for (const part of ["", "/result", "/program", "/compiled-program", "/program/ascii"])
        await get(`/jobs/${qrn}${part}`);
    }
    for (const qrn of subject.groups)
      for (const part of ["", "/jobs"]) await get(`/jobs/group/${qrn}${part}`);
    const legacy = (path: string) => read(subject.legacyUrl, "api-key", path);
    await legacy("/quantum-devices");
    await legacy("/quantum-jobs");
    for (const qrn of jobs) {
      await legacy(`/quantum-jobs?svcJobId=${qrn}`);
      await legacy(`/quantum-jobs/result/${qrn}`);
    }
  }
  return answers;
}

/** An answer without what tells of the moment in which it was given. */
function withoutTime(body: Body): Body {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return body;
  const { meta, requestId, timestamp, ...rest } = body;
  return rest;
}
