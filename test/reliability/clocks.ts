import { setTimeout as sleep } from "node:timers/promises";
import { auditLedger } from "../../src/service/billing/ledger.ts";
import { serving } from "../service/serving.ts";
import { createRandom } from "./random.ts";
import type { Report } from "./report.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const STEPS: Readonly<Record<string, number>> = {
  "-3 h": -3 * HOUR_MS,
  "+2 h": 2 * HOUR_MS,
  "+10 d": 240 * HOUR_MS,
  "-10 d": -240 * HOUR_MS,
  "-1 min": -MINUTE_MS,
  "+1 min": MINUTE_MS,
};

/** Sets the service's clock forwards and back while jobs run and groups are open. */
export async function stepClock({ steps, seed = 4 }: { steps: number; seed?: number }): Promise<Report> {
  await using service = await serving();
  const random = createRandom(seed);
  const violations: string[] = [];
  const qrns: string[] = [];
  /** How far the system's clock is ahead, and how far it has been at most: the service's never runs backwards. */
  let ahead = 0;
  let furthest = 0;
  for (let at = 0; at < steps; at += 1) {
    const maxTTL = 30 * 60;
    const { groupJobQrn } = (await service.call("POST", "/jobs/group", { maxTTL })).body.data;
    qrns.push((await service.submit()).jobQrn, (await service.submit({ groupJobQrn })).jobQrn);
    await sleep(random.below(10));
    const name = random.pick(Object.keys(STEPS));
    service.pass(STEPS[name]!);
    ahead += STEPS[name]!;
    const passed = Math.max(0, ahead - furthest);
    furthest = Math.max(furthest, ahead);
    const answer = await service.call("POST", "/jobs/group", { maxTTL });
    if (answer.status !== 201) violations.push(`after ${name}, a group is refused with ${answer.status}`);
    const listed: { groupJobQrn: string; status: string }[] = (await service.call("GET", "/jobs/group")).body
      .data;
    const group = listed.find(each => each.groupJobQrn === groupJobQrn);
    const isOver = passed > maxTTL * 1000;
    if (isOver && group?.status === "OPEN") violations.push(`after ${name}, a group lives on`);
    if (passed === 0 && group?.status !== "OPEN")
      violations.push(`after ${name}, a group is ${group?.status}`);
    if ((await service.service.idleTime()) < 0) violations.push(`after ${name}, the idle time is negative`);
  }
  for (const qrn of qrns) {
    const job = await service.ended(qrn);
    const { createdAt, endedAt, executionDuration } = job.timeStamps;
    if (job.status !== "COMPLETED") violations.push(`${qrn} is ${job.status}`);
    if (Date.parse(endedAt!) < Date.parse(createdAt!)) violations.push(`${qrn} ended before it was made`);
    if (!(executionDuration! >= 0 && executionDuration! < MINUTE_MS))
      violations.push(`${qrn} took ${executionDuration} ms`);
  }
  violations.push(...(await auditLedger(service.store)));
  return { trial: "clock steps", figures: { steps, jobs: qrns.length }, violations };
}
