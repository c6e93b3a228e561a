import { spawnSync } from "node:child_process";

const PARENT_POLL_INTERVAL_MS = 2000;

/** Ends the kernel when the process that started it has ended without notice: Jupyter's server, or the owner of its input. */
export function exitWithParent(end: () => void): void {
  if (process.platform === "win32") return;
  if (process.env.JPY_PARENT_PID || process.argv.includes("--exit-with-parent")) watchParent(end);
}

/** Calls a function once the process that started this one has ended. */
export function watchParent(end: () => void): void {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) end();
  }, PARENT_POLL_INTERVAL_MS).unref();
}

/** Ends this process's group when its standard input closes. */
export function exitWithInput(): void {
  process.stdin
    .on("error", () => undefined)
    .on("close", () => endGroup(process.pid))
    .resume();
  (process.stdin as unknown as { unref(): void }).unref();
}

/** Ends a process that leads a group, and everything that it started. */
export function endGroup(pid: number): void {
  try {
    if (process.platform === "win32") spawnSync("taskkill", ["/pid", String(pid), "/T", "/F"]);
    else process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended already.
  }
}
