import { Command } from "commander";
import { type Place, withPlace } from "./place.ts";
import { atPlace } from "./store.ts";

/** `ketbook import`: makes a file of `ketbook export` the store of an empty data folder or database. */
export function importCommand(): Command {
  return withPlace(new Command("import"))
    .description("make a file of ketbook export the store of a data folder or database that is empty")
    .argument("<file>", "file that ketbook export has made")
    .option("--json", "print JSON")
    .action((file: string, options: Place & { json?: boolean }) => {
      const report = (result: { jobs: number }, remark: string) => {
        const text = `✓ ${result.jobs} jobs, their results, and all credits and keys are imported, and the ledger balances.${remark}`;
        process.stdout.write(`${options.json ? JSON.stringify(result) : text}\n`);
      };
      return atPlace("import", options, {
        async folder(folder) {
          const { importIntoFolder } = await import("../service/backup/folder-archive.ts");
          const result = await importIntoFolder(file, folder);
          report(
            result,
            result.hasOwnerKey
              ? ""
              : "\nThe next start of the service makes a new owner.key, and revokes the one before. To keep that, copy its owner.key here first.",
          );
        },
        async database(url) {
          const { importIntoDatabase } = await import("../service/backup/database-archive.ts");
          const result = await importIntoDatabase(file, url);
          const { leftOutDevices } = result;
          report(
            result,
            leftOutDevices.length > 0
              ? `\nDevices that were imported into the data folder are left out: ${leftOutDevices.join(", ")}. A service with a database takes its devices from --catalogue.`
              : "",
          );
        },
      });
    });
}
