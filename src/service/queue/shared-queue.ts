import type { JobStatus } from "../../contract/status.ts";
import type { Store } from "../store/store.ts";
import type { Announcement } from "./announcement.ts";
import type { JobQueue } from "./job-queue.ts";
import { WAITING } from "./waiting.ts";

const RUNNING: readonly JobStatus[] = ["VALIDATING", "RUNNING"];

/**
 * Makes the queue of processes that share a store: all are told of what changes, and where jobs stand is read from their
 * rows. A position counts the jobs that were submitted before, whoever's turn it is.
 */
export function createSharedQueue(store: Store, announce: (announcement: Announcement) => void): JobQueue {
  return {
    added: job => announce({ added: job }),
    cancelled: () => announce("cancelled"),
    async positions(seqs) {
      if (seqs.length === 0) return new Map();
      const rows = await store
        .selectFrom("jobs")
        .where("seq", "in", seqs)
        .where("status", "in", WAITING)
        .select(eb => [
          "seq",
          eb
            .selectFrom("jobs as other")
            .whereRef("other.device_qrn", "=", "jobs.device_qrn")
            .where("other.ended_at", "is", null)
            .where(({ or, and, eb: is }) =>
              or([
                is("other.status", "in", RUNNING),
                and([is("other.status", "in", WAITING), is("other.seq", "<", is.ref("jobs.seq"))]),
              ]),
            )
            .select(({ fn }) => fn.countAll<number>().as("ahead"))
            .as("ahead"),
        ])
        .execute();
      return new Map(rows.map(({ seq, ahead }) => [seq, ahead ?? 0]));
    },
    async depths(devices) {
      if (devices.length === 0) return new Map();
      const rows = await store
        .selectFrom("jobs")
        .where("ended_at", "is", null)
        .where("status", "in", WAITING)
        .where("device_qrn", "in", devices)
        .groupBy("device_qrn")
        .select(eb => ["device_qrn", eb.fn.countAll<number>().as("waiting")])
        .execute();
      const depths = new Map(rows.map(({ device_qrn, waiting }) => [device_qrn, waiting]));
      return new Map(devices.map(device => [device, depths.get(device) ?? 0]));
    },
  };
}
