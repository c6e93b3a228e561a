import { setTimeout as sleep } from "node:timers/promises";
import { bell, bellJob, caller } from "../service/serving.ts";
import { checkInvariants, untilAllEnded } from "./invariants.ts";
import { createRandom } from "./random.ts";
import type { Report } from "./report.ts";
import { startSubject, temporaryFolder } from "./subject.ts";

const slow = {
  format: "qasm3",
  data: 'OPENQASM 3.0;\ninclude "stdgates.inc";\nqubit[16] q;\nbit c;\nfor int i in [0:20] { h q; }\nc = measure q[0];',
};

const CLIENTS = 8;
const MAX_LIFE_MS = 600;

/** Ends the service by `kill -9` while clients submit; what was not answered is sent again under its key. */
export async function killWhileSubmitting({
  kills,
  seed = 1,
}: {
  kills: number;
  seed?: number;
}): Promise<Report> {
  using place = temporaryFolder();
  const { folder } = place;
  const random = createRandom(seed);
  const accepted = new Set<string>();
  const unanswered = new Map<string, unknown>();
  const violations: string[] = [];
  const answers = new Map<string, string>();
  let repeated = 0;
  let keys = 0;

  async function submitUntilKilled(url: string, apiKey: string): Promise<void> {
    const { call } = caller(url, apiKey);
    for (;;) {
      const [known] = unanswered;
      if (!known) keys += 1;
      const [key, job] = known ?? [
        `key${keys}`,
        bellJob({ program: random.pick([bell, slow, [bell, bell]]) }),
      ];
      unanswered.delete(key);
      if (known) repeated += 1;
      try {
        const { status, body } = await call("POST", "/jobs", job, { "idempotency-key": key });
        if (status !== 201) violations.push(`a submission was answered with ${status} ${body.error?.code}`);
        else {
          const qrn: string = body.data.jobQrn;
          if ((answers.get(key) ?? qrn) !== qrn) violations.push(`${key} made two jobs`);
          answers.set(key, qrn);
          accepted.add(qrn);
        }
      } catch {
        unanswered.set(key, job);
        return;
      }
    }
  }

  for (let at = 0; at < kills; at += 1) {
    await using service = await startSubject(folder);
    const clients = Array.from({ length: CLIENTS }, () => submitUntilKilled(service.url, service.apiKey));
    await sleep(random.below(MAX_LIFE_MS));
    await service.end("SIGKILL");
    await Promise.all(clients);
  }
  await using service = await startSubject(folder);
  violations.push(...(await untilAllEnded(folder)), ...(await checkInvariants(service, folder, accepted)));
  return {
    trial: "kill -9 under load",
    figures: { kills, "jobs accepted": accepted.size, "sent again after a kill": repeated },
    violations,
  };
}
