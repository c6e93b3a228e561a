import { readFileSync } from "node:fs";
import { type Command, InvalidArgumentError } from "commander";
import { dataFolder } from "../contract/data-folder.ts";
import { StoreError } from "../service/storage-errors.ts";
import { notEmpty } from "./not-empty.ts";

/** Location of a command's store, as given. */
export interface Place {
  data?: string;
  database?: string;
  databaseFile?: string;
}

/** Adds the options that say where a store is. */
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

/** Adds the options that say which database a store is in. */
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

/** Returns the data folder that a command is for. */
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
