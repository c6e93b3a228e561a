import { setTimeout as sleep } from "node:timers/promises";
import { servingProcess } from "../service/process.ts";
import { ATTACKS } from "./attack-list.ts";
import { checkInvariants, untilAllEnded } from "./invariants.ts";
import { quantile, type Report } from "./report.ts";
import { makeUser, probeLiveness, temporaryFolder } from "./subject.ts";

/** Attacks a service by its connections, bodies and races, while another user's small jobs run; first nobody does. */
export async function attackService({ size }: { size: number }): Promise<Report> {
  using place = temporaryFolder();
  const { folder } = place;
  await using service = await servingProcess(folder);
  const attacker = await makeUser(service, folder, "attacker");
  const other = await makeUser(service, folder, "other");
  const violations: string[] = [];
  const accepted = new Set<string>();
  const accept = (qrn: string) => void accepted.add(qrn);
  const { apiKey } = attacker;
  const target = { url: service.url, apiKey, pid: service.child.pid!, attacker, size, accept };

  /** Runs another user's small jobs, one after the other, while something is done. Returns what both of them took. */
  async function measure(work: () => Promise<unknown>) {
    const liveness = probeLiveness(service.url);
    const bells: number[] = [];
    let isOver = false;
    const ringing = (async () => {
      do {
        const started = performance.now();
        const { status } = await other.ended((await other.submit()).jobQrn);
        if (status !== "COMPLETED") violations.push(`another user's bell is ${status}`);
        bells.push(performance.now() - started);
        await sleep(50);
      } while (!isOver);
    })();
    await work();
    isOver = true;
    await ringing;
    return { bells, answers: await liveness.stop() };
  }

  const quiet = await measure(() => sleep(1000));
  const bells: number[] = [];
  const answers: number[] = [];
  let slowest = { name: "", ms: 0 };
  for (const [name, attack] of Object.entries(ATTACKS)) {
    const measured = await measure(async () => {
      await attack(target).catch((error: Error) => violations.push(`${name}: ${error.message}`));
    });
    if (measured.answers.includes(Number.POSITIVE_INFINITY))
      violations.push(`${name}: no answer on another connection`);
    if (name.includes("stands still")) continue;
    bells.push(...measured.bells);
    answers.push(...measured.answers);
    const ms = Math.max(...measured.answers);
    if (ms > slowest.ms) slowest = { name, ms };
  }
  const metrics = await (await fetch(new URL("/metrics", service.url))).text();
  const memory = Number(/^process_resident_memory_bytes (.*)$/m.exec(metrics)?.[1]);
  violations.push(...(await untilAllEnded(folder)), ...(await checkInvariants(service, folder, accepted)));
  const figures = {
    attacks: Object.keys(ATTACKS).length,
    "connections of each": size,
    "jobs accepted": accepted.size,
    "healthz p99, ms": quantile(answers, 0.99),
    "healthz max, ms": slowest.ms,
    "slowest attack": slowest.name,
    "healthz max in quiet, ms": Math.max(...quiet.answers),
    "another user's bell max, ms": Math.max(...bells),
    "bell max in quiet, ms": Math.max(...quiet.bells),
    "memory after, MB": memory / 1e6,
  };
  return { trial: "attacks on connections", figures, violations };
}
