import { existsSync, readFileSync } from "node:fs";
import { type Command, InvalidArgumentError } from "commander";
import { dataFolder } from "../host/data-folder.ts";
import { explainStorageError, type Store, StoreError } from "../service/index.ts";
import { FolderInUseError, openStoreOf, storePath } from "../service/node/index.ts";
import { fail } from "./explained.ts";

/** Location of a command's store, as given. */
export interface Place {
  data?: string;
  database?: string;
  databaseFile?: string;
}

export const withPlace = (command: Command): Command =>
  withDatabaseOptions(
    command.option("--data <folder>", `the service's data folder (default: ${dataFolder()})`, readFolder),
  );

/** Reads the name of a data folder; the address of a database is none. */
function readFolder(text: string): string {
  if (/^postgres(ql)?:/i.test(text))
    throw new InvalidArgumentError("It takes a folder; the address of a database goes to --database.");
  return notEmpty(text);
}

export const withDatabaseOptions = (command: Command): Command =>
  command
    .option(
      "--database <url>",
      "the service's PostgreSQL database, as postgres://user@host:port/name (default: that of KETBOOK_DATABASE)",
    )
    .option(
      "--database-file <file>",
      "a file that holds the address of the database (default: that of KETBOOK_DATABASE_FILE)",
    );

/**
 * Returns the address of the database that a command is for; undefined where it is for a data folder. What is given
 * goes before the environment. An address that is an argument is hidden from the list of processes, since a password
 * may be in it.
 */
export function databaseOf({ data, database, databaseFile }: Place): string | undefined {
  if (database !== undefined) {
    process.title = `ketbook ${process.argv[2]}`;
    return database;
  }
  if (databaseFile !== undefined) return readAddress(databaseFile);
  if (data !== undefined) return undefined;
  const { KETBOOK_DATABASE, KETBOOK_DATABASE_FILE } = process.env;
  if (KETBOOK_DATABASE) return KETBOOK_DATABASE;
  return KETBOOK_DATABASE_FILE ? readAddress(KETBOOK_DATABASE_FILE) : undefined;
}

export const folderOf = ({ data = dataFolder() }: Place): string => data;

function readAddress(file: string): string {
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    throw new StoreError(
      `${file}, which should hold the address of the database, can't be read (${(error as NodeJS.ErrnoException).code}).`,
    );
  }
}

interface PlacedWork {
  folder(folder: string): Promise<void>;
  database(url: string): Promise<void>;
}

/** Opens the store that a command is for; the command ends with 1 and a sentence where that or the work fails. */
export const withStore = (command: string, place: Place, work: (store: Store) => Promise<void>) =>
  withMadeStore(command, place, work, folder => {
    if (!existsSync(storePath(folder))) throw new StoreError(`There is no store in ${folder}.`);
  });

/** The same for a command that makes the store of a folder where there is none. */
export const withMadeStore = (
  command: string,
  place: Place,
  work: (store: Store) => Promise<void>,
  check: (folder: string) => void = () => {},
) =>
  atPlace(command, place, {
    async folder(folder) {
      check(folder);
      const store = await openStoreOf(folder);
      await work(store).finally(() => store.destroy());
    },
    async database(url) {
      const { withDatabase } = await import("./shared.ts");
      await withDatabase(url, work);
    },
  });

/** Does the work of a command where it is for; where that fails, says why in a sentence, and lets the process end with 1. */
export async function atPlace(command: string, place: Place, work: PlacedWork): Promise<void> {
  process.umask(0o077);
  let url: string | undefined;
  try {
    url = databaseOf(place);
    await (url === undefined ? work.folder(folderOf(place)) : work.database(url));
  } catch (error) {
    const reason =
      url === undefined
        ? explain(error, folderOf(place))
        : (await import("./shared.ts")).explainDatabaseError(error);
    fail(command, reason);
  }
}

function explain(error: unknown, folder: string): string {
  const { message } = error as Error;
  return error instanceof FolderInUseError
    ? `${message} To continue, end that service, or use its version of Ketbook.`
    : (explainStorageError(error, folder) ?? message);
}

export function print({ json }: { json?: boolean | undefined }, value: unknown, text: string): void {
  process.stdout.write(`${json ? JSON.stringify(value) : text}\n`);
}

export function notEmpty(text: string): string {
  if (text.trim() === "") throw new InvalidArgumentError("It must not be empty.");
  return text;
}
