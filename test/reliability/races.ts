import { isTerminalJob } from "../../src/contract/status.ts";
import { type Answer, bellJob, type Caller, caller } from "../service/serving.ts";
import { checkInvariants, untilAllEnded } from "./invariants.ts";
import { createRandom, type Random } from "./random.ts";
import type { Report } from "./report.ts";
import { startSubject, temporaryFolder } from "./subject.ts";

interface Race {
  call: Caller["call"];
  random: Random;
  /** Makes a name that no other race has. */
  unique(): string;
  accepted: Set<string>;
  violations: string[];
}

/** Requests at the same time that must come out as if they had come one after the other. */
const RACES: Readonly<Record<string, (race: Race) => Promise<number>>> = {
  repeat,
  cancel,
  delete: remove,
  group,
  groupRepeat,
};

/** Lets requests race each other: the same submission, cancelling against finishing, groups that close. */
export async function raceRequests({ rounds, seed = 3 }: { rounds: number; seed?: number }): Promise<Report> {
  using place = temporaryFolder();
  const { folder } = place;
  await using service = await startSubject(folder);
  const { call: send } = caller(service.url, service.apiKey);
  const random = createRandom(seed);
  const accepted = new Set<string>();
  const violations: string[] = [];
  let names = 0;
  const call: Caller["call"] = async (method, path, body, headers) => {
    const answer = await send(method, path, body, headers);
    if (answer.status >= 500) violations.push(`${method} ${path} was answered with ${answer.status}`);
    return answer;
  };
  const unique = () => {
    names += 1;
    return `race${names}`;
  };
  const requests: Record<string, number> = {};
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, race] of Object.entries(RACES)) {
      requests[name] = (requests[name] ?? 0) + (await race({ call, random, unique, accepted, violations }));
    }
  }
  violations.push(...(await untilAllEnded(folder)), ...(await checkInvariants(service, folder, accepted)));
  return { trial: "races", figures: { rounds, ...requests }, violations };
}

const qrnOf = ({ status, body }: Answer): string | undefined =>
  status === 201 ? body.data.jobQrn : undefined;

async function repeat({ call, unique, accepted, violations }: Race): Promise<number> {
  const key = { "idempotency-key": unique() };
  const answers = await Promise.all(Array.from({ length: 12 }, () => call("POST", "/jobs", bellJob(), key)));
  const qrns = new Set(answers.map(qrnOf));
  if (qrns.size !== 1 || qrns.has(undefined)) violations.push(`one submission made ${[...qrns]}`);
  for (const qrn of qrns) if (qrn) accepted.add(qrn);
  return answers.length;
}

async function cancel({ call, random, accepted, violations }: Race): Promise<number> {
  const qrn = qrnOf(await call("POST", "/jobs", bellJob()))!;
  accepted.add(qrn);
  await new Promise(resolve => setTimeout(resolve, random.below(12)));
  const answers = await Promise.all(Array.from({ length: 4 }, () => call("POST", `/jobs/${qrn}/cancel`)));
  const isAccepted = answers.some(({ status }) => status === 202);
  for (;;) {
    const { status, cost } = (await call("GET", `/jobs/${qrn}`)).body.data;
    if (!isTerminalJob(status)) continue;
    if ((status === "CANCELLED") !== isAccepted)
      violations.push(`${qrn} is ${status}, cancelled: ${isAccepted}`);
    if ((status === "COMPLETED") !== cost > 0) violations.push(`${qrn} is ${status} and cost ${cost}`);
    return answers.length;
  }
}

async function remove({ call, accepted, violations }: Race): Promise<number> {
  const qrn = qrnOf(await call("POST", "/jobs", bellJob()))!;
  accepted.add(qrn);
  const answers = await Promise.all(Array.from({ length: 4 }, () => call("DELETE", `/jobs/${qrn}`)));
  const done = answers.filter(({ status }) => status === 200).length;
  if (done !== 1) violations.push(`${qrn} was deleted ${done} times`);
  return answers.length;
}

async function group({ call, random, accepted, violations }: Race): Promise<number> {
  const { groupJobQrn } = (await call("POST", "/jobs/group", {})).body.data;
  const path = `/jobs/group/${groupJobQrn}`;
  const end = random.pick(["close", "cancel"]);
  const submissions = Array.from({ length: 10 }, () => call("POST", "/jobs", bellJob({ groupJobQrn })));
  const ending = call("POST", `${path}/${end}`);
  const qrns = (await Promise.all(submissions)).flatMap(answer => qrnOf(answer) ?? []);
  for (const qrn of qrns) accepted.add(qrn);
  const late = await ending.then(() => call("POST", "/jobs", bellJob({ groupJobQrn })));
  if (late.status !== 409) violations.push(`a group after ${end} answered a submission with ${late.status}`);
  const jobs: { jobQrn: string }[] = (await call("GET", `${path}/jobs`)).body.data;
  if (jobs.length !== qrns.length) violations.push(`a group has ${jobs.length} of ${qrns.length} jobs`);
  return submissions.length + 3;
}

async function groupRepeat({ call, unique, violations }: Race): Promise<number> {
  const key = { "idempotency-key": unique() };
  const answers = await Promise.all(Array.from({ length: 6 }, () => call("POST", "/jobs/group", {}, key)));
  const made = new Set(answers.map(({ body }) => body.data?.groupJobQrn));
  if (made.size !== 1) violations.push(`one request made the groups ${[...made]}`);
  return answers.length;
}
