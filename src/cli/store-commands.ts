import { once } from "node:events";
import { accessSync, constants, copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command } from "commander";
import {
  type AuditRecord,
  auditLedger,
  explainStorageError,
  readAuditTrail,
  type Store,
  StoreError,
  storageProblem,
} from "../service/index.ts";
import { checkIntegrity, hasContents, openStoreFile, storePath } from "../service/node/index.ts";
import { backUpStore, missingDocuments, restoreStore, type StoreCopy } from "../service-cluster/index.ts";
import { atPlace, type Place, withPlace, withStore } from "./place.ts";

export function checkCommand(): Command {
  return withPlace(new Command("check"))
    .description("check the store of a service, and audit its ledger")
    .option("--json", "print JSON")
    .action(({ json, ...place }: Place & { json?: boolean }) => {
      const report = (problems: readonly string[], praise: string) => {
        const text = problems.map(problem => `✗ ${problem}`).join("\n") || `✓ ${praise}`;
        process.stdout.write(`${json ? JSON.stringify({ ok: problems.length === 0, problems }) : text}\n`);
        if (problems.length > 0) process.exitCode = 1;
      };
      return atPlace("check", place, {
        folder: async folder =>
          report(await findProblems(folder), `The store in ${folder} is whole, and its ledger balances.`),
        async database(url) {
          const { withDatabase } = await import("./shared.ts");
          const problems = await withDatabase(url, auditStore);
          report(problems, "The ledger balances. Whether the database's pages are whole, pg_amcheck says.");
        },
      });
    });
}

async function findProblems(folder: string): Promise<string[]> {
  const path = storePath(folder);
  if (!existsSync(path)) return [`There is no store in ${folder}.`];
  if (!hasContents(folder)) return [`${path} is empty: what was in it is lost.`];
  try {
    return isWritable(folder) ? await examine(path) : await examineCopy(path);
  } catch (error) {
    if (storageProblem(error) === "damaged") return [`${path} is damaged: ${(error as Error).message}.`];
    return [explainStorageError(error, folder) ?? (error as Error).message];
  }
}

async function examine(path: string): Promise<string[]> {
  const damages = await checkIntegrity(path, "whole");
  if (damages.length > 0) return damages;
  const store = openStoreFile(path);
  return await auditStore(store).finally(() => store.destroy());
}

const auditStore = async (store: Store) => [
  ...(await auditLedger(store)),
  ...(await missingDocuments(store)),
];

/** Examines a copy, since SQLite opens no store with a write-ahead log where it can't write beside it. */
async function examineCopy(path: string): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), "ketbook-check-"));
  try {
    const copy = storePath(folder);
    for (const suffix of ["", "-wal"])
      if (existsSync(path + suffix)) copyFileSync(path + suffix, copy + suffix);
    return await examine(copy);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

export function auditCommand(): Command {
  return withPlace(new Command("audit"))
    .description("show the audit trail: what was done to keys, credits and jobs, oldest first")
    .option("--json", "print JSON, an object a line")
    .action(({ json, ...place }: Place & { json?: boolean }) =>
      withStore("audit", place, async store => {
        for await (const record of readAuditTrail(store)) {
          const time = new Date(record.time).toISOString();
          const line = json ? JSON.stringify({ ...record, time }) : toLine(record, time);
          if (!process.stdout.write(`${line}\n`)) await once(process.stdout, "drain");
        }
      }),
    );
}

function toLine({ event, actor, subject, details }: AuditRecord, time: string): string {
  const more = Object.entries(details).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return [time, event, JSON.stringify(subject).slice(1, -1), `by ${actor}`, ...more].join("  ");
}

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
          const { exportDatabase } = await import("../service-cluster/index.ts");
          report(await exportDatabase(url, file), "the database");
        },
      });
    });
}

interface RestoreOptions extends Place {
  replace?: boolean;
  json?: boolean;
}

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
          const { importIntoDatabase } = await import("../service-cluster/index.ts");
          const { jobs } = await importIntoDatabase(file, url, { isRestored: true });
          report({ jobs }, [
            `✓ The database is that of ${file}, with ${jobs} jobs, and its ledger balances.`,
          ]);
        },
      });
    });
}

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
          const { exportFolder } = await import("../service-cluster/index.ts");
          report(
            await exportFolder(folder, file),
            "Keep it as private as the folder. The folder's owner.key is not in it: copy that, if its user is to keep the key.",
          );
        },
        async database(url) {
          const { exportDatabase } = await import("../service-cluster/index.ts");
          report(
            await exportDatabase(url, file),
            "It is the state of one moment: what was accepted since is not in it. Keep it as private as the database.",
          );
        },
      });
    });
}

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
          const { importIntoFolder } = await import("../service-cluster/index.ts");
          const result = await importIntoFolder(file, folder);
          report(
            result,
            result.hasOwnerKey
              ? ""
              : "\nThe next start of the service makes a new owner.key, and revokes the one before. To keep that, copy its owner.key here first.",
          );
        },
        async database(url) {
          const { importIntoDatabase } = await import("../service-cluster/index.ts");
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

/** Returns the sentence on a copy of a store whose ledger balances, and on documents that its jobs lack. */
const wholeness = (subject: string, missing: readonly string[] = []): string =>
  missing.length === 0
    ? `${subject} is whole, and its ledger balances.`
    : `Its ledger balances, but ${subject.toLowerCase()} is not whole: ${missing.join("; ")}.`;
