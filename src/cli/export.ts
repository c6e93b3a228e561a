import { Command } from "commander";
import { type Place, withPlace } from "./place.ts";
import { atPlace } from "./store.ts";

/** `ketbook export`: writes a whole store to a file from which it can be imported anywhere. */
export function exportCommand(): Command {
  return withPlace(new Command("export"))
    .description("write all that a service keeps to a file, to move it between data folders and databases")
    .argument("<file>", "file to make, which must not be there")
    .option("--json", "print JSON")
    .action((file: string, options: Place & { json?: boolean }) => {
      const report = ({ bytes }: { bytes: number }, remark: string) => {
        const text = `✓ ${file} holds all jobs, results, credits and keys' digests.\n${remark}`;
        process.stdout.write(`${options.json ? JSON.stringify({ file, bytes }) : text}\n`);
      };
      return atPlace("export", options, {
        async folder(folder) {
          const { exportFolder } = await import("../service/backup/folder-archive.ts");
          report(
            await exportFolder(folder, file),
            "Keep it as private as the folder. The folder's owner.key is not in it: copy that, if its user is to keep the key.",
          );
        },
        async database(url) {
          const { exportDatabase } = await import("../service/backup/database-archive.ts");
          report(
            await exportDatabase(url, file),
            "It is the state of one moment: what was accepted since is not in it. Keep it as private as the database.",
          );
        },
      });
    });
}
