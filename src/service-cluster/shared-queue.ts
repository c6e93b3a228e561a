import { sql } from "kysely";
import type { JobStatus } from "../contract/index.ts";
import {
  type Announcement,
  type Catalogue,
  type CatalogueDevice,
  type JobQueue,
  matchesPattern,
  type Store,
  WAITING,
} from "../service/index.ts";
import { methodsOf } from "../service/workers/messages.ts";

/** Devices, methods and memory that a worker offers. */
export interface Offers {
  /** Bytes of amplitudes that a job may take. */
  memoryBytes: number;
  /** Patterns of the QRNs of its devices, in which `*` stands for any characters; undefined: all. */
  devices?: readonly string[] | undefined;
  /** Methods of simulation; undefined: all. */
  methods?: readonly string[] | undefined;
}

/** Whether a worker can run jobs of a device, as far as its devices and methods go. A device that is gone needs none. */
export function offersDevice({ devices, methods }: Offers, device: CatalogueDevice | undefined): boolean {
  if (!device?.engine) return true;
  if (devices && !devices.some(pattern => matchesPattern(pattern, device.qrn))) return false;
  return !methods || methodsOf(device.engine).every(method => methods.includes(method));
}

/** Whether a worker has the memory that a job was found to need. */
export const offersMemory = ({ memoryBytes }: Offers, requiredBytes: number | null | undefined): boolean =>
  (requiredBytes ?? 0) <= memoryBytes;

export const BEAT_INTERVAL_MS = 10_000;
/** A worker that has said nothing for so long is taken to be gone. */
const MAX_SILENCE_MS = 3 * BEAT_INTERVAL_MS;
const FORGET_MS = 86_400_000;

interface RegisteredWorker {
  id: string;
  name: string;
  slots: number;
  offers: Offers;
}

/** Notes that a worker runs, and forgets those that have been gone for a day. */
export async function registerWorker(
  store: Store,
  { id, name, slots, offers }: RegisteredWorker,
  now: number,
): Promise<void> {
  const { memoryBytes, ...others } = offers;
  const worker = {
    name,
    slots,
    memory_bytes: memoryBytes,
    offers_json: JSON.stringify(others),
    seen_at: now,
  };
  await store
    .insertInto("workers")
    .values({ id, started_at: now, ...worker })
    .onConflict(conflict => conflict.column("id").doUpdateSet(worker))
    .execute();
  await store
    .deleteFrom("workers")
    .where("seen_at", "<", now - FORGET_MS)
    .execute();
}

export async function unregisterWorker(store: Store, id: string): Promise<void> {
  await store.deleteFrom("workers").where("id", "=", id).execute();
}

/** Lists what the workers that run offer, those with the most memory first. */
async function listOffers(store: Store, now: number): Promise<Offers[]> {
  const rows = await store
    .selectFrom("workers")
    .select(["memory_bytes", "offers_json"])
    .where("seen_at", ">", now - MAX_SILENCE_MS)
    .orderBy("memory_bytes", "desc")
    .execute();
  return rows.map(row => ({ memoryBytes: row.memory_bytes, ...JSON.parse(row.offers_json) }));
}

/** Position of a job at its device: after running ones, in order of submission. */
const PLACE = sql<number>`row_number() over (
  partition by device_qrn order by case when status in (${sql.join(WAITING)}) then 1 else 0 end, seq)`;

const RUNNING: readonly JobStatus[] = ["VALIDATING", "RUNNING"];

/** Reads how many jobs their devices take before each of these jobs, or run. */
async function readPositions(store: Store, seqs: readonly number[]): Promise<Map<number, number>> {
  const found = await store
    .selectFrom("jobs")
    .select("device_qrn")
    .distinct()
    .where("seq", "in", seqs)
    .execute();
  if (found.length === 0) return new Map();
  const devices = found.map(({ device_qrn }) => device_qrn);
  const places = store
    .selectFrom("jobs")
    .where("ended_at", "is", null)
    .where("status", "in", [...RUNNING, ...WAITING])
    .where("device_qrn", "in", devices)
    .select(["seq", "status", PLACE.as("place")]);
  const rows = await store
    .selectFrom(places.as("places"))
    .where("seq", "in", seqs)
    .where("status", "in", WAITING)
    .select(["seq", "place"])
    .execute();
  return new Map(rows.map(({ seq, place }) => [seq, place - 1]));
}

interface SharedQueueParts {
  store: Store;
  catalogue: Catalogue;
  clock: () => number;
  announce(announcement: Announcement): void;
}

const formatBytes = (bytes: number) =>
  bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;

/**
 * Makes the queue of processes that share a store: all are told of what changes, and where jobs stand is read from their
 * rows. A position counts all jobs that were submitted before.
 */
export function createSharedQueue({ store, catalogue, clock, announce }: SharedQueueParts): JobQueue {
  return {
    added: job => announce({ added: job }),
    cancelled: () => announce("cancelled"),
    positions: async seqs => (seqs.length === 0 ? new Map() : readPositions(store, seqs)),
    async obstacles(jobs) {
      if (jobs.length === 0) return new Map();
      const workers = await listOffers(store, clock());
      return new Map(
        jobs.flatMap(({ seq, device_qrn, required_bytes }) => {
          const suited = workers.filter(offers => offersDevice(offers, catalogue.get(device_qrn)));
          const [largest] = suited;
          if (!largest) return [[seq, `Waits for a worker that runs jobs of ${device_qrn}: none does now.`]];
          if (offersMemory(largest, required_bytes)) return [];
          const [needed, most] = [required_bytes ?? 0, largest.memoryBytes].map(formatBytes);
          return [
            [seq, `Waits for a worker with ${needed} for its state: the largest that runs now has ${most}.`],
          ];
        }),
      );
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
