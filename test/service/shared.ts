import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { ketbookHere } from "./command-line.ts";
import { command as ketbookCommand } from "./process.ts";

/** A process of a service that several share. */
export interface SharedProcess extends AsyncDisposable {
  child: ChildProcess;
  /** Base addresses of versions 2 and 1, where it takes requests. */
  url: string;
  legacyUrl: string;
  end(signal?: NodeJS.Signals): Promise<void>;
}

/** Starts `ketbook serve` or `ketbook worker` on a database, and waits until it is ready. */
export const sharedProcess = (command: "serve" | "worker", database: string, ...args: string[]) =>
  sharedProcessAt(0, command, database, ...args);

const shiftedClock = new URL("../reliability/shared/shifted-clock.ts", import.meta.url).href;

/** Starts one on a machine whose clock is ahead by so many milliseconds. */
export async function sharedProcessAt(
  clockShift: number,
  command: "serve" | "worker",
  database: string,
  ...args: string[]
): Promise<SharedProcess> {
  const shifted = clockShift === 0 ? [] : ["--import", shiftedClock];
  const port = command === "serve" ? ["--port", "0"] : [];
  const child = spawn(
    process.execPath,
    [...shifted, ...ketbookCommand, command, "--database", database, "--json", ...port, ...args],
    {
      env: { ...process.env, KETBOOK_TEST_CLOCK_SHIFT: String(clockShift) },
      stdio: ["ignore", "pipe", process.env.KETBOOK_TEST_LOG ? "inherit" : "ignore"],
    },
  );
  const exited = once(child, "exit");
  const ready = once(child.stdout, "data").then(([line]) => JSON.parse(String(line)));
  const announced = await Promise.race([ready, exited.then(([code]) => code)]);
  if (typeof announced !== "object" || announced === null)
    throw new Error(`${command} ended with ${announced}`);
  const end = async (signal: NodeJS.Signals = "SIGTERM") => {
    child.kill(signal);
    await exited;
  };
  return { ...announced, child, end, [Symbol.asyncDispose]: () => end("SIGKILL") };
}

/** Makes a key of a database's service, with a million credits for its organization. */
export async function createSharedKey(database: string, name: string, ...args: string[]): Promise<string> {
  const owner = ["--org", name, "--user", name, "--credits", "1000000"];
  const made = await ketbookHere("keys", "create", "--database", database, "--json", ...owner, ...args);
  if (made.code !== 0) throw new Error(made.stderr);
  return JSON.parse(made.stdout).apiKey;
}
