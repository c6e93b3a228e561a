import { sql } from "kysely";
import type { JobStatus } from "../../contract/status.ts";
import type { Store } from "../store/store.ts";
import type { Announcement } from "./announcement.ts";
import type { JobQueue } from "./job-queue.ts";
import { WAITING } from "./waiting.ts";

/** Where a job stands at its device: after those that run, in order of submission. */
const PLACE = sql<number>`row_number() over (
  partition by device_qrn order by case when status in (${sql.join(WAITING)}) then 1 else 0 end, seq)`;

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
      const places = store
        .selectFrom("jobs")
        .where("ended_at", "is", null)
        .where("status", "in", [...RUNNING, ...WAITING])
        .where("device_qrn", "in", eb =>
          eb.selectFrom("jobs as asked").select("asked.device_qrn").where("asked.seq", "in", seqs),
        )
        .select(["seq", "status", PLACE.as("place")]);
      const rows = await store
        .selectFrom(places.as("places"))
        .where("seq", "in", seqs)
        .where("status", "in", WAITING)
        .select(["seq", "place"])
        .execute();
      return new Map(rows.map(({ seq, place }) => [seq, place - 1]));
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
