import { Command } from "commander";
import { restoreStore } from "../service/backup/restore.ts";
import { StoreError } from "../service/storage-errors.ts";
import { type Place, withPlace } from "./place.ts";
import { atPlace } from "./store.ts";
import { wholeness } from "./wholeness.ts";

interface RestoreOptions extends Place {
  replace?: boolean;
  json?: boolean;
}

/** `ketbook restore`: makes a copy of a store that of a data folder on which no service runs. */
export function restoreCommand(): Command {
  return withPlace(new Command("restore"))
    .description(
      "make a file of ketbook backup the store of a data folder that no service runs on, or a database",
    )
    .argument("<file>", "file that ketbook backup has made")
    .option("--replace", "move a store of the folder aside, under another name")
    .option("--json", "print JSON")
    .action((file: string, { replace = false, json, ...place }: RestoreOptions) => {
      const report = (result: object, lines: readonly string[]) =>
        process.stdout.write(`${json ? JSON.stringify(result) : lines.join("\n")}\n`);
      return atPlace("restore", place, {
        async folder(folder) {
          const restored = await restoreStore(file, folder, { replace });
          const { jobs, missing, movedTo, hasOwnerKey } = restored;
          report(restored, [
            `✓ The store of ${folder} is that of ${file}, with ${jobs} jobs. ${wholeness("It", missing)}`,
            ...(movedTo ? [`The store that was there is ${movedTo} now.`] : []),
            hasOwnerKey
              ? "The folder keeps its owner.key; if the store does not know it, the next start makes a new one."
              : "The next start of the service makes a new owner.key, and revokes the one of the backup.",
          ]);
        },
        async database(url) {
          if (replace) throw new StoreError("A database is never replaced: restore into another, empty one.");
          const { importIntoDatabase } = await import("../service/backup/database-archive.ts");
          const { jobs } = await importIntoDatabase(file, url, { isRestored: true });
          report({ jobs }, [
            `✓ The database is that of ${file}, with ${jobs} jobs, and its ledger balances.`,
          ]);
        },
      });
    });
}
