import { setTimeout as sleep } from "node:timers/promises";
import { ketbook } from "../service/process.ts";
import { bell, bellJob, caller } from "../service/serving.ts";
import { canMount, lockStore, mountSmallDisk } from "../service/store/sqlite/small-disk.ts";
import { checkInvariants, untilAllEnded } from "./invariants.ts";
import { createRandom } from "./random.ts";
import type { Report } from "./report.ts";
import { startSubject, temporaryFolder } from "./subject.ts";

const large = { ...bell, data: `${bell.data} //${"x".repeat(4000)}` };
const ALLOWED = ["STORAGE_FULL", "STORE_UNAVAILABLE"];

/**
 * Lets writes fail under load: a disk that is full for a while, a store that another process has locked, and, before a
 * start, a disk that takes no writes. Where file systems can't be mounted, locks alone.
 */
export async function failWrites({
  faults,
  maxFaultMs = 3000,
  seed = 2,
}: {
  faults: number;
  /** Default: 3000. */
  maxFaultMs?: number;
  seed?: number;
}): Promise<Report> {
  using place = temporaryFolder();
  using disk = canMount ? mountSmallDisk(64) : undefined;
  const folder = disk?.folder ?? place.folder;
  const random = createRandom(seed);
  const accepted = new Set<string>();
  const violations: string[] = [];
  const refused: Record<string, number> = {};
  const done = { full: 0, locked: 0, "read-only": 0 };
  let service = await startSubject(folder);

  async function submitUntil(isOver: () => boolean): Promise<void> {
    const { call } = caller(service.url, service.apiKey);
    while (!isOver()) {
      const { status, body } = await call("POST", "/jobs", bellJob({ program: random.pick([bell, large]) }));
      if (status === 201) accepted.add(body.data.jobQrn);
      else {
        const code: string = body.error.code;
        refused[code] = (refused[code] ?? 0) + 1;
        if (!ALLOWED.includes(code)) violations.push(`a submission was answered with ${status} ${code}`);
      }
      await sleep(20);
    }
  }

  async function underLoad(fault: () => Promise<() => void | Promise<void>>): Promise<void> {
    let isOver = false;
    const clients = [submitUntil(() => isOver), submitUntil(() => isOver)];
    const mend = await fault();
    await sleep(random.below(maxFaultMs));
    await mend();
    await sleep(random.below(300));
    isOver = true;
    await Promise.all(clients);
  }

  async function startReadOnly(): Promise<void> {
    await service.end();
    disk?.setReadOnly(true);
    const { code, stderr } = await ketbook("serve", "--port", "0", "--data", folder);
    disk?.setReadOnly(false);
    if (code !== 1 || !/^ketbook serve: .+\.$/m.test(stderr)) {
      violations.push(`a start on a disk that takes no writes ended with ${code}: ${stderr.slice(0, 200)}`);
    }
    service = await startSubject(folder);
  }

  try {
    const kinds = disk ? (["full", "locked", "read-only"] as const) : (["locked"] as const);
    for (let at = 0; at < faults; at += 1) {
      const kind = kinds[at % kinds.length]!;
      done[kind] += 1;
      if (kind === "read-only") await startReadOnly();
      else if (kind === "locked") {
        await underLoad(async () => {
          const lock = await lockStore(folder);
          return () => lock.release();
        });
      } else {
        await underLoad(async () => {
          disk?.fill();
          return () => disk?.free();
        });
      }
    }
    violations.push(...(await untilAllEnded(folder)), ...(await checkInvariants(service, folder, accepted)));
  } finally {
    await service.end("SIGKILL");
  }
  return {
    trial: "writes that fail",
    figures: { ...done, "jobs accepted": accepted.size, ...refused },
    violations,
  };
}
