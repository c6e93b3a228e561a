import { once } from "node:events";
import { accessSync, constants, copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command } from "commander";
import { succeeds } from "../host/attempted.ts";
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
import {
  backUpDatabase,
  backUpStore,
  missingDocuments,
  restoreDatabase,
  restoreStore,
  type StoreCopy,
} from "../service-cluster/index.ts";
import { atPlace, type Place, print, withPlace, withStore } from "./place.ts";

export function checkCommand(): Command {
  return withPlace(new Command("check"))
    .description("check the store of a service, and audit its ledger")
    .option("--json", "print JSON")
    .action(({ json, ...place }: Place & { json?: boolean }) => {
      const report = (problems: readonly string[], praise: string) => {
        const text = problems.map(problem => `✗ ${problem}`).join("\n") || `✓ ${praise}`;
        print({ json }, { ok: problems.length === 0, problems }, text);
        if (problems.length > 0) process.exitCode = 1;
      };
      return atPlace("check", place, {
        folder: async folder =>
          report(await findProblems(folder), `The store in ${folder} is whole, and its ledger balances.`),
        async database(url) {
          const { withDatabase } = await import("./shared.ts");
          const problems = await withDatabase(url, auditStore);
          report(problems, "The ledger balances. To check the database's pages, run pg_amcheck.");
        },
      });
    });
}

async function findProblems(folder: string): Promise<string[]> {
  const path = storePath(folder);
  if (!existsSync(path)) return [`There is no store in ${folder}.`];
  if (!hasContents(folder)) return [`${path} is empty: what was in it is lost.`];
  try {
    return succeeds(() => accessSync(folder, constants.W_OK)) ? await examine(path) : await examineCopy(path);
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

const fileCommand = (name: string, description: string, file: string) =>
  withPlace(new Command(name))
    .description(description)
    .argument("<file>", file)
    .option("--json", "print JSON");

interface FileOptions extends Place {
  json?: boolean;
  replace?: boolean;
}

interface CopyCommand {
  /** Whether no service may run on a data folder, since it would accept more jobs. */
  isLast: boolean;
  remark: string;
}

const copyCommand = (name: string, description: string, { isLast, remark }: CopyCommand) =>
  fileCommand(name, description, "output file; must not exist").action(
    (file: string, options: FileOptions) => {
      const report = (copy: StoreCopy, from: string) =>
        print(
          options,
          { file, ...copy },
          `✓ ${file} holds the store of ${from}, with ${copy.jobs} jobs. ${wholeness("The file", copy.missing)}\n${remark}`,
        );
      return atPlace(name, options, {
        folder: async folder => report(await backUpStore(folder, file, { isLast }), folder),
        database: async url => report(await backUpDatabase(url, file), "the database"),
      });
    },
  );

export const backupCommand = () =>
  copyCommand("backup", "copy the store of a service to a file while it runs, and check the copy", {
    isLast: false,
    remark: "It holds programs and results, and no keys: keep it as private as the service.",
  });

export const exportCommand = () =>
  copyCommand("export", "copy the store of a service to a file, to move it to a data folder or database", {
    isLast: true,
    remark:
      "Keep it as private as the service. What is accepted from now on is not in it, nor is a folder's owner.key: copy that, if its user is to keep the key.",
  });

/** Makes a command that makes a file a store; `isNoted` says whether the store's audit trail names the file. */
const restoringCommand = (name: string, description: string, isNoted: boolean) =>
  fileCommand(name, description, "file of ketbook backup or export").action(
    (file: string, options: FileOptions) => {
      const { replace = false } = options;
      return atPlace(name, options, {
        async folder(folder) {
          const restored = await restoreStore(file, folder, { replace, isNoted });
          const { jobs, missing, movedTo, hasOwnerKey } = restored;
          const lines = [
            `✓ The store of ${folder} is that of ${file}, with ${jobs} jobs. ${wholeness("It", missing)}`,
            ...(movedTo ? [`The store that was there is ${movedTo} now.`] : []),
            hasOwnerKey
              ? "The folder keeps its owner.key; if the store does not know it, the next start makes a new one."
              : "The next start of the service makes a new owner.key, and revokes the one of the file. To keep that, copy its owner.key here first.",
          ];
          print(options, restored, lines.join("\n"));
        },
        async database(url) {
          if (replace) throw new StoreError("A database is never replaced: restore into another, empty one.");
          const restored = await restoreDatabase(file, url, { isNoted });
          const left = restored.leftOutDevices.join(", ");
          const lines = [
            `✓ The database is that of ${file}, with ${restored.jobs} jobs, and its ledger balances.`,
            ...(left
              ? [
                  `Devices that were imported into the data folder are left out: ${left}. A service with a database takes its devices from --catalogue.`,
                ]
              : []),
          ];
          print(options, restored, lines.join("\n"));
        },
      });
    },
  );

export const restoreCommand = () =>
  restoringCommand(
    "restore",
    "restore a copy into a data folder that no service uses, or into an empty database",
    true,
  ).option("--replace", "move a store of the folder aside, under another name");

export const importCommand = () =>
  restoringCommand("import", "import a copy into an empty data folder or database", false);

/** Returns the sentence on a copy of a store whose ledger balances, and on documents that its jobs lack. */
const wholeness = (subject: string, missing: readonly string[]): string =>
  missing.length === 0
    ? `${subject} is whole, and its ledger balances.`
    : `Its ledger balances, but ${subject.toLowerCase()} is not whole: ${missing.join("; ")}.`;
