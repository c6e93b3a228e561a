import { Command } from "commander";
import { dataFolder } from "../contract/data-folder.ts";
import { backUpStore } from "../service/backup/backup.ts";
import { reportErrors } from "./store.ts";

/** `ketbook backup`: copies a store to a file, whether or not the service runs. */
export function backupCommand(): Command {
  return new Command("backup")
    .description("copy the store of a data folder, as it is at this moment, to a file, and check the copy")
    .argument("<file>", "file to make, which must not be there")
    .option("--data <folder>", "the service's data folder", dataFolder())
    .option("--json", "print JSON")
    .action((file: string, { data, json }: { data: string; json?: boolean }) =>
      reportErrors("backup", data, async () => {
        process.umask(0o077);
        const { jobs, bytes } = await backUpStore(data, file);
        const text = `✓ ${file} holds the store of ${data}, with ${jobs} jobs. The file is whole, and its ledger balances.\nIt holds programs and results, and no keys: keep it as private as the folder.`;
        process.stdout.write(`${json ? JSON.stringify({ file, jobs, bytes }) : text}\n`);
      }),
    );
}
