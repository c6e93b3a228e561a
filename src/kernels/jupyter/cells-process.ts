import { spawn } from "node:child_process";
import type { Duplex } from "node:stream";
import { fileURLToPath } from "node:url";
import { getHeapStatistics } from "node:v8";
import { type Failure, plainFailure } from "../errors/failure.ts";
import { CELLS_FD, type ProcessMessage, type ServerMessage } from "./channel.ts";
import { endGroup } from "./lifetime.ts";
import { openFraming } from "./wire.ts";

export type CellsProcess = ReturnType<typeof startCells>;

const ENTRY = fileURLToPath(
  new URL(import.meta.url.endsWith(".ts") ? "./cells-main.ts" : "./kernel-cells.js", import.meta.url),
);
const CLOSE_TIMEOUT_MS = 1000;
const MAX_LAST_WORDS = 4000;
const GONE = "The variables are gone; the notebook is not: run its cells again";

/** Starts a process of cells with options of the kernel. When it ends by itself, another takes its place. */
export function startCells(options: readonly string[]) {
  let isClosing = false;
  let isEnded = false;
  let current = start();

  function start() {
    const child = spawn(process.execPath, [...process.execArgv, ENTRY, ...options], {
      // Its own group, so it ends with everything that cells have started.
      detached: process.platform !== "win32",
      stdio: ["ignore", "inherit", "pipe", "pipe"],
      windowsHide: true,
    });
    let lastWords = "";
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      lastWords = (lastWords + text).slice(-MAX_LAST_WORDS);
      process.stderr.write(text);
    });
    const stream = child.stdio[CELLS_FD] as Duplex;
    stream.on("error", () => undefined);
    const send = openFraming<ServerMessage, ProcessMessage>(stream, message => cells.take(message));
    const closed = new Promise<void>(resolve => child.once("close", resolve));
    child.once("close", (code, signal) => {
      if (isClosing) return;
      const failure = failureOf(isEnded, lastWords, signal ?? `exit code ${code}`);
      isEnded = false;
      current = start();
      cells.ended(failure);
    });
    return { pid: child.pid!, send, closed };
  }

  const cells = {
    take(_message: ProcessMessage) {},
    /** Hears why a process has ended. Its place has been taken. */
    ended(_failure: Failure) {},
    send: (message: ServerMessage) => current.send(message),
    /** Ends the process with everything that it started, as what it does can't be interrupted. */
    end() {
      isEnded = true;
      endGroup(current.pid);
    },
    /** Ends it permanently; resolves when it has ended. */
    async close() {
      isClosing = true;
      current.send({ type: "shutdown" });
      const late = setTimeout(endGroup, CLOSE_TIMEOUT_MS, current.pid);
      await current.closed;
      clearTimeout(late);
    },
  };
  return cells;
}

function failureOf(isEnded: boolean, lastWords: string, how: string): Failure {
  if (isEnded)
    return plainFailure("Interrupted", `The cell could be ended only with the cells' process. ${GONE}.`);
  if (/heap out of memory/i.test(lastWords))
    return plainFailure(
      "OutOfMemory",
      `The cells' memory is full (${formatMemory(getHeapStatistics().heap_size_limit)}). ${GONE}, with less data at a time, or start Jupyter with more memory: NODE_OPTIONS=--max-old-space-size=8192 for 8 GB.`,
    );
  const why = how === "SIGKILL" ? ": systems do this when memory runs out" : "";
  return plainFailure("CellsEnded", `The cells' process ended (${how}${why}). ${GONE}.`);
}

const formatMemory = (bytes: number): string =>
  bytes < 2 ** 30 ? `${Math.round(bytes / 2 ** 20)} MB` : `${Number((bytes / 2 ** 30).toFixed(1))} GB`;
