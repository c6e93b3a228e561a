import { sql } from "kysely";
import { type StorageProblem, storageProblem } from "../storage-errors.ts";
import { type Store, serverOf, transact } from "./store.ts";

/** Time after which a silent store is taken to be away. */
const TIMEOUT_MS = 2000;
/** Maximum age of an answer, which limits checks to one write per second. */
const MAX_AGE_MS = 1000;

/** Bytes that must be free on a disk, so long results can be written; of a small one, a sixteenth of all. */
const MIN_FREE_BYTES = 16 * 2 ** 20;

export interface DiskSpace {
  free: number;
  total: number;
}

const hasRoom = ({ free, total }: DiskSpace) => free >= Math.min(MIN_FREE_BYTES, total / 16);

/**
 * Makes a function that checks whether the store takes a submission: by a write that changes nothing, and by the room
 * that is left on its disk. A server has to take 2 MB, and two connections at once. The function resolves to what is
 * wrong, or to undefined; an error that is not of the storage is thrown.
 */
export function createReadiness(
  store: Store,
  readDiskSpace: () => Promise<DiskSpace | undefined> = async () => undefined,
): () => Promise<StorageProblem | undefined> {
  const server = serverOf(store);
  const write = (to: Store) => sql`update store_version set version = version`.execute(to);
  async function check(): Promise<StorageProblem | undefined> {
    try {
      if (!server) await write(store);
      else
        await transact(
          store,
          async transaction => {
            await server.takeRoom(transaction);
            await sql`select 1`.execute(store);
            await write(transaction);
          },
          { isUrgent: true },
        );
    } catch (error) {
      const problem = storageProblem(error);
      if (!problem) throw error;
      return problem;
    }
    const space = await readDiskSpace();
    return space && !hasRoom(space) ? "full" : undefined;
  }

  let asked = Number.NEGATIVE_INFINITY;
  let answer: Promise<StorageProblem | undefined> = Promise.resolve(undefined);
  return () => {
    if (performance.now() - asked < MAX_AGE_MS) return answer;
    asked = performance.now();
    const { promise: silent, resolve } = Promise.withResolvers<"unavailable">();
    const timer = setTimeout(resolve, TIMEOUT_MS, "unavailable");
    answer = Promise.race([check(), silent]).finally(() => clearTimeout(timer));
    return answer;
  };
}
