import type { KernelServer, TslabModules } from "./internals.ts";

const GOODBYE = 200;
const PARENT_INTERVAL = 2000;

/** Makes the kernel end when it is shut down, whatever its cells have left open. */
export function hookShutdown(jupyter: TslabModules["jupyter"]): boolean {
  const server = jupyter?.ZmqServer?.prototype;
  const close = server?.close;
  if (!server || !close) return false;
  server.close = function (this: KernelServer) {
    setTimeout(() => process.exit(0), GOODBYE);
    close.call(this);
  };
  return true;
}

/** Ends the kernel when the Jupyter server that started it has gone without a word. */
export function endWithParent(): void {
  if (!process.env.JPY_PARENT_PID || process.platform === "win32") return;
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.exit(1);
  }, PARENT_INTERVAL).unref();
}

/** Ends the kernel and everything that it started when its standard input closes. */
export function endWithInput(): void {
  const group = process.platform === "win32" ? process.pid : -process.pid;
  const end = () => process.kill(group, "SIGKILL");
  process.stdin
    .on("error", () => undefined)
    .on("close", end)
    .resume();
  (process.stdin as unknown as { unref(): void }).unref();
}
