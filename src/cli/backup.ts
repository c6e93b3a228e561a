import { Command } from "commander";
import { backUpStore, type StoreCopy } from "../service/backup/backup.ts";
import { type Place, withPlace } from "./place.ts";
import { atPlace } from "./store.ts";
import { wholeness } from "./wholeness.ts";

/** `ketbook backup`: copies a store to a file, whether or not the service runs. */
export function backupCommand(): Command {
  return withPlace(new Command("backup"))
    .description("copy the store of a service, as it is at this moment, to a file, and check the copy")
    .argument("<file>", "file to make, which must not be there")
    .option("--json", "print JSON")
    .action((file: string, { json, ...place }: Place & { json?: boolean }) => {
      const report = (copy: StoreCopy, from: string) => {
        const text = `✓ ${file} holds the store of ${from}, with ${copy.jobs} jobs. ${wholeness("The file", copy.missing)}\nIt holds programs and results, and no keys: keep it as private as the service.`;
        process.stdout.write(`${json ? JSON.stringify({ file, ...copy }) : text}\n`);
      };
      return atPlace("backup", place, {
        folder: async folder => report(await backUpStore(folder, file), folder),
        async database(url) {
          const { exportDatabase } = await import("../service/backup/database-archive.ts");
          report(await exportDatabase(url, file), "the database");
        },
      });
    });
}
