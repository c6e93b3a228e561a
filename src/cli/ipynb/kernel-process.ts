import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { attempted } from "../../host/attempted.ts";
import { NotebookError } from "../../ipynb/index.ts";
import { type Connection, endGroup, type LaunchOptions, launchCommand } from "../../kernels/jupyter/index.ts";

/** A kernel that notebooks can be executed in: Ketbook's own, tslab as it is, or Deno. */
export type KernelName = (typeof KERNEL_NAMES)[number];

export const KERNEL_NAMES = ["ketbook", "tslab", "deno"] as const;

export type ZeroMq = typeof import("zeromq");

/** Options for starting a kernel; what goes beyond its file and language is only for Ketbook's own. */
interface CommandOptions extends LaunchOptions {
  /** The folder of the notebook, near which other kernels are looked for. */
  folder: string;
}

/** The command that starts a kernel. Throws a {@link NotebookError} that says how to get it. */
export function kernelCommand(name: KernelName, options: CommandOptions): string[] {
  const { connectionFile, folder, javascript } = options;
  switch (name) {
    case "ketbook":
      return launchCommand(options);
    case "tslab": {
      const { entry } = findTslab(folder);
      const language = javascript ? ["--js"] : [];
      return [process.execPath, entry, "kernel", "--config-path", connectionFile, ...language];
    }
    case "deno": {
      const manifest = manifestNear(folder, "deno");
      const deno = manifest ? [process.execPath, join(dirname(manifest), "bin.cjs")] : ["deno"];
      return [...deno, "jupyter", "--kernel", "--conn", connectionFile];
    }
  }
}

/**
 * Finds the tslab that is nearest to a folder: installed there or above, otherwise near the working folder,
 * otherwise beside Ketbook itself. Throws a {@link NotebookError} that says how to get it.
 */
export function findTslab(folder: string) {
  const manifest = manifestNear(folder, "tslab");
  if (!manifest) throw new NotebookError(`tslab is not installed near ${folder}: npm install tslab`);
  const { version, bin } = JSON.parse(readFileSync(manifest, "utf8"));
  return {
    version: version as string,
    /** The script that starts its kernel. */
    entry: join(dirname(manifest), bin.tslab),
    /** Its package.json, from which its own dependencies resolve. */
    manifest,
  };
}

function manifestNear(folder: string, name: string): string | undefined {
  const places = [folder, process.cwd(), dirname(fileURLToPath(import.meta.url))];
  const resolve = (from: string) => createRequire(join(from, "notebook.js")).resolve(`${name}/package.json`);
  return places.map(from => attempted(() => resolve(from))).find(path => path !== undefined);
}

/** Loads the ZeroMQ binding. Throws a {@link NotebookError} that says how to fix it. */
export function loadZeroMq(from: string | URL = import.meta.url): ZeroMq {
  try {
    return createRequire(from)("zeromq");
  } catch (error) {
    const [reason] = (error as Error).message.split("\n");
    throw new NotebookError(
      `zeromq does not load (${reason}). Install it again with its install script allowed: npm rebuild zeromq`,
    );
  }
}

const PORTS = ["shell_port", "iopub_port", "stdin_port", "control_port", "hb_port"] as const;

/** Kernel in a separate process, in one process group with everything that it starts. */
export type KernelProcess = Awaited<ReturnType<typeof startKernelProcess>>;

/** Functions that end running kernels when this process ends. */
const running = new Set<() => void>();
process.on("exit", () => {
  for (const kill of running) kill();
});

/** Starts a kernel in a folder, on its own loopback ports. */
export async function startKernelProcess(name: KernelName, options: { folder: string; javascript: boolean }) {
  const connection = await newConnection();
  const folder = mkdtempSync(join(tmpdir(), "ketbook-kernel-"));
  const connectionFile = join(folder, "connection.json");
  /** Removes the connection file, which the kernel reads only once. */
  const forgetFiles = () => rmSync(folder, { recursive: true, force: true });
  let child: ChildProcess | undefined;
  let killed = false;

  /** Ends the process group at once. Safe to call again. */
  function kill(): void {
    running.delete(kill);
    forgetFiles();
    if (killed || child?.pid === undefined) return;
    killed = true;
    endGroup(child.pid);
    for (const stream of child.stdio) stream?.destroy();
  }

  running.add(kill);
  try {
    writeFileSync(connectionFile, JSON.stringify({ ...connection, kernel_name: name }), { mode: 0o600 });
    const [command = "", ...args] = kernelCommand(name, {
      ...options,
      connectionFile,
      // The outputs of an executed notebook must not depend on the machine's speed.
      waitForTypes: true,
      exitWithParent: true,
    });
    child = spawn(command, args, {
      cwd: options.folder,
      detached: process.platform !== "win32",
      stdio: ["pipe", "pipe", "pipe"],
      windowsHide: true,
    });
    const started = child;
    const ended = endOf(started);
    await new Promise((resolve, reject) => started.once("spawn", resolve).once("error", reject));
    const { pid = 0 } = started;
    return { connection, pid, ended, lastWords: tailOf(started), forgetFiles, kill };
  } catch (error) {
    kill();
    throw error;
  }
}

function endOf(child: ChildProcess): Promise<string> {
  return new Promise(resolve => {
    child.once("error", error => resolve(error.message));
    child.once("exit", (code, signal) => resolve(signal ? `signal ${signal}` : `exit code ${code}`));
  });
}

function tailOf(child: ChildProcess): () => string {
  let tail = "";
  child.stdin?.on("error", () => undefined);
  child.stdout?.resume();
  child.stderr?.setEncoding("utf8").on("data", text => {
    tail = (tail + text).slice(-4000);
  });
  return () => tail.trim();
}

export async function newConnection(): Promise<Connection> {
  const ip = "127.0.0.1";
  const servers = await Promise.all(PORTS.map(() => listen(ip)));
  const ports = servers.map((server, at) => [PORTS[at], (server.address() as { port: number }).port]);
  await Promise.all(servers.map(server => new Promise(resolve => server.close(resolve))));
  const common = { transport: "tcp", ip, key: randomUUID(), signature_scheme: "hmac-sha256" };
  return { ...common, ...(Object.fromEntries(ports) as Record<(typeof PORTS)[number], number>) };
}

function listen(ip: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject).listen(0, ip, () => resolve(server));
  });
}
