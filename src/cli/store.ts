import { FolderInUseError } from "../service/local/lock.ts";
import { explainStorageError } from "../service/storage-errors.ts";
import { openStoreOf } from "../service/store/sqlite/open.ts";
import type { Store } from "../service/store/store.ts";
import { databaseOf, folderOf, type Place } from "./place.ts";

/** Actions of a command on a data folder, and on a database. */
export interface PlacedWork {
  folder(folder: string): Promise<void>;
  database(url: string): Promise<void>;
}

/** Opens the store that a command is for; the command ends with 1 and a sentence where that or the work fails. */
export const withStore = (command: string, place: Place, work: (store: Store) => Promise<void>) =>
  atPlace(command, place, {
    async folder(folder) {
      const store = await openStoreOf(folder);
      await work(store).finally(() => store.destroy());
    },
    async database(url) {
      const { withDatabase } = await import("./shared.ts");
      await withDatabase(url, work);
    },
  });

/** Does the work of a command where it is for; where that fails, says why in a sentence, and lets the process end with 1. */
export async function atPlace(command: string, place: Place, work: PlacedWork): Promise<void> {
  process.umask(0o077);
  let url: string | undefined;
  try {
    url = databaseOf(place);
    await (url === undefined ? work.folder(folderOf(place)) : work.database(url));
  } catch (error) {
    const reason =
      url === undefined
        ? explain(error, folderOf(place))
        : (await import("./shared.ts")).explainDatabaseError(error);
    process.stderr.write(`ketbook ${command}: ${reason}\n`);
    process.exitCode = 1;
  }
}

function explain(error: unknown, folder: string): string {
  const { message } = error as Error;
  return error instanceof FolderInUseError
    ? `${message} To continue, end that service, or use its version of Ketbook.`
    : (explainStorageError(error, folder) ?? message);
}
