const PARENT_POLL_INTERVAL_MS = 2000;

/**
 * Ends the kernel when whoever started it has gone without a word: Jupyter's server, or who holds its input. A thread
 * that asks for this also ends a kernel that is busy in synchronous code.
 */
export function exitWithParent(end: () => void): void {
  if (process.platform === "win32") return;
  if (!process.env.JPY_PARENT_PID && !process.argv.includes("--exit-with-parent")) return;
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) end();
  }, PARENT_POLL_INTERVAL_MS).unref();
}

/** Ends the kernel and everything that it started when its standard input closes. */
export function exitWithInput(): void {
  const group = process.platform === "win32" ? process.pid : -process.pid;
  const end = () => process.kill(group, "SIGKILL");
  process.stdin
    .on("error", () => undefined)
    .on("close", end)
    .resume();
  (process.stdin as unknown as { unref(): void }).unref();
}
