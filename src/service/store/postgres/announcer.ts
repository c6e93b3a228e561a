import { setImmediate as nextTurn } from "node:timers/promises";
import { sql } from "kysely";
import type { Store } from "../store.ts";

/** The channel on which announcements are made. */
export const CHANNEL = "ketbook";

/** Bytes of one notification, of which PostgreSQL takes less than 8000. */
const MAX_BYTES = 7500;
/** Announcements that wait while the database can't be reached. */
const MAX_WAITING = 10_000;

/** Announces values of JSON to all processes on a database. */
export interface Announcer {
  /** Announces a value, together with others of the same moment. */
  announce(value: unknown): void;
  /** Resolves when all that was announced is sent, or could not be. */
  flush(): Promise<void>;
}

/** Makes an announcer. */
export function createAnnouncer(store: Store, onError: (error: unknown) => void): Announcer {
  const waiting: string[] = [];
  let sending: Promise<void> | undefined;

  /** Takes as many as fit into one notification. */
  function take(): string {
    let end = 0;
    for (let bytes = 2; end < waiting.length; end += 1) {
      bytes += Buffer.byteLength(waiting[end]!) + 1;
      if (bytes > MAX_BYTES && end > 0) break;
    }
    return `[${waiting.splice(0, end).join(",")}]`;
  }

  async function send(): Promise<void> {
    try {
      await nextTurn();
      while (waiting.length > 0) await sql`select pg_notify(${CHANNEL}, ${take()})`.execute(store);
    } catch (error) {
      onError(error);
    }
    sending = undefined;
  }

  return {
    announce(value) {
      if (waiting.length < MAX_WAITING) waiting.push(JSON.stringify(value));
      sending ??= send();
    },
    flush: async () => sending,
  };
}
