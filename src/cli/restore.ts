import { Command } from "commander";
import { dataFolder } from "../contract/data-folder.ts";
import { restoreStore } from "../service/backup/restore.ts";
import { reportErrors } from "./store.ts";

/** `ketbook restore`: makes a copy of a store that of a data folder on which no service runs. */
export function restoreCommand(): Command {
  return new Command("restore")
    .description("make a file of ketbook backup the store of a data folder on which no service runs")
    .argument("<file>", "file that ketbook backup has made")
    .option("--data <folder>", "the service's data folder", dataFolder())
    .option("--replace", "move a store that is there aside, under another name")
    .option("--json", "print JSON")
    .action((file: string, options: { data: string; replace?: boolean; json?: boolean }) =>
      reportErrors("restore", options.data, async () => {
        process.umask(0o077);
        const { data: folder, replace = false, json } = options;
        const { jobs, movedTo, hasOwnerKey } = await restoreStore(file, folder, { replace });
        const lines = [
          `✓ The store of ${folder} is that of ${file}, with ${jobs} jobs. It is whole, and its ledger balances.`,
          ...(movedTo ? [`The store that was there is ${movedTo} now.`] : []),
          hasOwnerKey
            ? "The folder keeps its owner.key; if the store does not know it, the next start makes a new one."
            : "The next start of the service makes a new owner.key, and revokes the one of the backup.",
        ];
        process.stdout.write(`${json ? JSON.stringify({ jobs, movedTo, hasOwnerKey }) : lines.join("\n")}\n`);
      }),
    );
}
