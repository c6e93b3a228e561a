import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/**
 * A file that tests start processes from, or import there: its build, which starts twice as fast, where an npm script has just
 * built it, and else its source.
 */
export const entry = (source: string, built: string) =>
  new URL(process.env.KETBOOK_BUILT ? `../../dist/${built}` : `../../src/${source}`, import.meta.url);

/** Arguments of Node that run `ketbook`, under the flags of the tests themselves. */
export const command = [
  ...process.execArgv.filter(option => option.startsWith("--wasm-")),
  fileURLToPath(entry("cli/index.ts", "cli.js")),
];

/** How a run of `ketbook` ended, and what it wrote. */
export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs `ketbook` to its end. */
export async function ketbook(...args: string[]): Promise<Ended> {
  const child = spawn(process.execPath, [...command, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close") as Promise<[number | null]>,
  ]);
  return { code, stdout, stderr };
}

/** A `ketbook serve` that runs as a process of its own. */
export interface ServingProcess extends AsyncDisposable {
  url: string;
  legacyUrl: string;
  apiKey: string;
  child: ChildProcess;
  /** Sends a signal, and gives the exit code. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
  exited: Promise<number | null>;
}

/** Starts `ketbook serve` on a data folder, with pipes to what it writes. */
export const spawnServe = (folder: string) =>
  spawn(process.execPath, [...command, "serve", "--port", "0", "--data", folder, "--json"], {
    stdio: ["ignore", "pipe", "pipe"],
  });

/** Starts `ketbook serve` on a data folder, and waits until it is ready. */
export async function servingProcess(folder: string, ...args: string[]): Promise<ServingProcess> {
  const started = [...command, "serve", "--port", "0", "--data", folder, "--json", ...args];
  const child = spawn(process.execPath, started, { stdio: ["ignore", "pipe", "ignore"] });
  const exited = once(child, "exit").then(([code]) => code as number | null);
  const ready = once(child.stdout, "data").then(([line]) => JSON.parse(String(line)));
  const announced = await Promise.race([ready, exited]);
  if (typeof announced !== "object" || announced === null) throw new Error(`serve ended with ${announced}`);
  const end = (signal: NodeJS.Signals = "SIGTERM") => {
    child.kill(signal);
    return exited;
  };
  return { ...announced, child, end, exited, [Symbol.asyncDispose]: async () => void (await end("SIGKILL")) };
}

async function text(stream: AsyncIterable<unknown>): Promise<string> {
  let all = "";
  for await (const chunk of stream) all += String(chunk);
  return all;
}
