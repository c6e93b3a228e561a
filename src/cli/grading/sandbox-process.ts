import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { NotebookError } from "../../ipynb/index.ts";
import { endGroup } from "../../kernels/jupyter/index.ts";
import { readMessage, type SandboxCell, type SandboxMessage } from "./sandbox-messages.ts";

export interface SandboxLimits {
  /** Seconds of processor time for the whole notebook. */
  readonly seconds: number;
  readonly megabytes: number;
}

interface SandboxReport {
  readonly messages: readonly SandboxMessage[];
  /** Reason for ending it before its last cell; null if it was not. */
  readonly stopped: string | null;
}

const MAX_REPORT_BYTES = 8_000_000;
const MAX_MESSAGES = 5000;
const WATCH_INTERVAL_MS = 50;
/** Wall-clock seconds per second of processor time on a busy machine. */
const WALL_FACTOR = 20;
/** Time that a notebook may sleep in all. */
const MAX_WAIT_MS = 8000;
const PAGE_BYTES = 4096;
const TICKS_PER_SECOND = 100;
const NAMESPACES = ["--user", "--map-root-user", "--net", "--pid", "--ipc", "--fork", "--kill-child", "--"];

/** Ends a process with the one that started it, however that ends. */
const TIED = ["--pdeathsig", "KILL", "--"];

const works = (command: string, options: readonly string[]) =>
  process.platform === "linux" && spawnSync(command, [...options, "true"]).status === 0;
let isolated: boolean | undefined;
let tied: boolean | undefined;

/** Whether this system can give a process an empty network and process namespace. */
export function hasNamespaces(): boolean {
  isolated ??= works("unshare", NAMESPACES);
  return isolated;
}

/**
 * Executes cells in a separate process, which can read only the library, write nothing, start nothing and reach no
 * network, within limits of time and memory.
 */
export function runSandbox(cells: readonly SandboxCell[], limits: SandboxLimits): Promise<SandboxReport> {
  const script = fileURLToPath(new URL("./grading-sandbox.js", import.meta.url));
  const folder = dirname(script);
  const node = [
    process.execPath,
    "--permission",
    `--allow-fs-read=${folder}`,
    "--no-warnings",
    `--max-old-space-size=${limits.megabytes}`,
    script,
  ];
  const inside = hasNamespaces() ? ["unshare", ...NAMESPACES, ...node] : node;
  tied ??= works("setpriv", TIED);
  const [command = "", ...args] = tied ? ["setpriv", ...TIED, ...inside] : inside;
  const child = spawn(command, args, {
    cwd: folder,
    env: { PATH: process.env.PATH ?? "", NO_COLOR: "1" },
    stdio: ["pipe", "ignore", "ignore", "pipe"],
    detached: process.platform !== "win32",
    windowsHide: true,
  });
  child.stdin?.on("error", () => undefined);
  child.stdin?.end(JSON.stringify(cells));
  return watch(child, cells.length, limits);
}

function watch(child: ChildProcess, cells: number, limits: SandboxLimits): Promise<SandboxReport> {
  return new Promise((resolve, reject) => {
    const messages: SandboxMessage[] = [];
    let stopped: string | null = null;
    let rest = "";
    let bytes = 0;
    const stop = (why: string) => {
      stopped ??= why;
      if (child.pid !== undefined) endGroup(child.pid);
    };
    const longest = WALL_FACTOR * limits.seconds;
    const timer = setTimeout(() => stop(`It did not end within ${longest} s.`), longest * 1000);
    let last = { at: performance.now(), seconds: 0 };
    let waited = 0;
    const watcher = setInterval(() => {
      const usage = usageOf(child.pid);
      if (!usage) return;
      const at = performance.now();
      const passed = Math.min(at - last.at, 2 * WATCH_INTERVAL_MS);
      if (!usage.runs) waited += Math.max(0, passed - (usage.seconds - last.seconds) * 1000);
      last = { at, seconds: usage.seconds };
      if (usage.bytes > limits.megabytes * 1e6) stop(`It took more than ${limits.megabytes} MB of memory.`);
      if (usage.seconds > limits.seconds) stop(`It took more than ${limits.seconds} s of processor time.`);
      if (waited > MAX_WAIT_MS) stop(`It waited for more than ${MAX_WAIT_MS / 1000} s.`);
    }, WATCH_INTERVAL_MS);
    const reported = child.stdio[3] as Readable;
    reported.setEncoding("utf8");
    reported.on("data", (text: string) => {
      bytes += text.length;
      if (bytes > MAX_REPORT_BYTES || messages.length > MAX_MESSAGES) return stop("It reported too much.");
      const lines = (rest + text).split("\n");
      rest = lines.pop()!;
      messages.push(...lines.flatMap(line => readMessage(line) ?? []));
    });
    child.once("error", reject);
    child.once("close", code => {
      clearTimeout(timer);
      clearInterval(watcher);
      if (messages.length === 0 && stopped === null)
        return reject(
          new NotebookError(`The process that executes notebooks does not start (exit code ${code}).`),
        );
      const done = messages.filter(({ kind }) => kind === "cell").length;
      const isWaiting = code === 13; // Node ends so while a module awaits what nothing resolves.
      const end = isWaiting ? "awaits a promise that never settles" : `ended its process (exit code ${code})`;
      if (done < cells) stopped ??= `Cell ${done + 1} ${end}; those after it were not run.`;
      resolve({ messages, stopped });
    });
  });
}

interface Usage {
  readonly bytes: number;
  readonly seconds: number;
  /** Whether one of them runs or is ready to. */
  readonly runs: boolean;
}

/** Returns the resources used so far by a process and its children; undefined if unknown. */
function usageOf(pid: number | undefined): Usage | undefined {
  if (pid === undefined || process.platform !== "linux") return undefined;
  try {
    const pages = Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1]);
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /, "")
      .split(" ");
    const own = {
      bytes: pages * PAGE_BYTES,
      seconds: (Number(stat[11]) + Number(stat[12])) / TICKS_PER_SECOND,
      runs: stat[0] !== "S",
    };
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean);
    return children.reduce((sum, child) => {
      const { bytes = 0, seconds = 0, runs = false } = usageOf(Number(child)) ?? {};
      return { bytes: sum.bytes + bytes, seconds: sum.seconds + seconds, runs: sum.runs || runs };
    }, own);
  } catch {
    return undefined;
  }
}
