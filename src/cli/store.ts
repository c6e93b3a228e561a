import { FolderInUseError } from "../service/local/lock.ts";
import { explainStorageError } from "../service/storage-errors.ts";
import { openStoreOf } from "../service/store/sqlite/open.ts";
import type { Store } from "../service/store/store.ts";

/** Opens the store of a data folder for a command, which ends with 1 and a sentence where that or the work fails. */
export function withStore(
  command: string,
  folder: string,
  work: (store: Store) => Promise<void>,
): Promise<void> {
  return reportErrors(command, folder, async () => {
    process.umask(0o077);
    const store = await openStoreOf(folder);
    await work(store).finally(() => store.destroy());
  });
}

/** Does the work of a command; where it fails, says why in a sentence, and lets the process end with 1. */
export async function reportErrors(
  command: string,
  folder: string,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    process.stderr.write(`ketbook ${command}: ${explain(error, folder)}\n`);
    process.exitCode = 1;
  }
}

function explain(error: unknown, folder: string): string {
  const { message } = error as Error;
  return error instanceof FolderInUseError
    ? `${message} To go on, end that service, or use its version of Ketbook.`
    : (explainStorageError(error, folder) ?? message);
}
