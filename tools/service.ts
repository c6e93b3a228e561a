import { spawn } from "node:child_process";
import { once } from "node:events";

/** Starts the built service on a data folder, where notebooks find it. Returns its address, and a function that ends it. */
export async function startService(data: string): Promise<{ url: string; stop(): Promise<unknown> }> {
  const command = new URL("../dist/cli.js", import.meta.url).pathname;
  const args = [command, "serve", "--port", "0", "--json", "--data", data];
  const service = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "ignore"] });
  const [line] = await once(service.stdout, "data");
  const stop = () => {
    const ended = once(service, "exit");
    service.kill("SIGTERM");
    return ended;
  };
  return { url: JSON.parse(String(line)).url, stop };
}
