import { runCommandLine } from "../../src/cli/command-line.ts";
import type { Ended } from "./process.ts";

class Exit extends Error {}

let last: Promise<unknown> = Promise.resolve();

/** Runs `ketbook` to its end in this process, in far less time than a process takes to start. One run waits for another. */
export function ketbookHere(...args: string[]): Promise<Ended> {
  const run = last.then(() => runHere(args));
  last = run.catch(() => {});
  return run;
}

async function runHere(args: readonly string[]): Promise<Ended> {
  const { stdout, stderr, title, exit, exitCode } = process;
  const umask = process.umask();
  const written = { stdout: "", stderr: "" };
  const restored = [stdout, stderr].map(stream => ({ stream, write: stream.write }));
  const collect = (name: keyof typeof written) => (text: string | Uint8Array) => {
    written[name] += typeof text === "string" ? text : Buffer.from(text).toString();
    return true;
  };
  stdout.write = collect("stdout");
  stderr.write = collect("stderr");
  process.exitCode = undefined;
  process.exit = code => {
    process.exitCode = code ?? process.exitCode;
    throw new Exit();
  };
  try {
    await runCommandLine(["node", "ketbook", ...args]);
    return { code: Number(process.exitCode ?? 0), ...written };
  } catch (error) {
    if (!(error instanceof Exit)) throw error;
    return { code: Number(process.exitCode ?? 0), ...written };
  } finally {
    for (const { stream, write } of restored) stream.write = write;
    Object.assign(process, { exit, exitCode, title });
    process.umask(umask);
  }
}
