import { accessSync, constants, copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command } from "commander";
import { missingDocuments } from "../service/backup/missing-documents.ts";
import { auditLedger } from "../service/billing/audit.ts";
import { explainStorageError, storageProblem } from "../service/storage-errors.ts";
import { hasContents, openStoreFile, storePath } from "../service/store/sqlite/file.ts";
import { checkIntegrity } from "../service/store/sqlite/integrity.ts";
import type { Store } from "../service/store/store.ts";
import { type Place, withPlace } from "./place.ts";
import { atPlace } from "./store.ts";

/** `ketbook check`: checks whether a store is whole, whether or not the service runs, and changes nothing. */
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
