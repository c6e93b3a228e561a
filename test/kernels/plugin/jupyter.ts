import { execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { newConnection } from "../../../src/cli/ipynb/kernel-process.ts";
import { newFolder } from "../../notebook-run/support.ts";

/** Debian's Jupyter. */
export const jupyter = "/usr/bin/jupyter";

/** Whether a program of the system is there. On a machine of continuous integration it has to be. */
export function isThere(program: string, package_: string): boolean {
  if (existsSync(program)) return true;
  if (process.env.CI) throw new Error(`${program} is missing: apt-get install ${package_}`);
  return false;
}

/** An environment in which Jupyter knows Ketbook's kernel and nothing of the user's. */
export async function jupyterEnvironment(): Promise<NodeJS.ProcessEnv> {
  const home = newFolder();
  const env = {
    ...process.env,
    HOME: home,
    JUPYTER_DATA_DIR: join(home, "data"),
    JUPYTER_CONFIG_DIR: join(home, "config"),
    JUPYTER_RUNTIME_DIR: join(home, "runtime"),
  };
  const cli = join(import.meta.dirname, "../../../dist/cli.js");
  await promisify(execFile)(process.execPath, [cli, "kernel", "install"], { env });
  return env;
}

/** Starts a notebook server. Answers its address, and how to end it. */
export async function startServer(
  folder: string,
  env: NodeJS.ProcessEnv,
): Promise<{ url: string; stop(): Promise<void> }> {
  const { shell_port: port } = await newConnection();
  const options = [
    "--no-browser",
    "--allow-root",
    "--ip=127.0.0.1",
    `--port=${port}`,
    "--NotebookApp.token=test",
  ];
  const server = spawn(jupyter, ["notebook", ...options, `--notebook-dir=${folder}`], {
    env,
    detached: true,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let log = "";
  const url = await new Promise<string>((resolve, reject) => {
    server.once("exit", () => reject(new Error(log)));
    server.stderr.setEncoding("utf8").on("data", text => {
      log += text;
      const [, found] = /(http:\/\/127\.0\.0\.1:\d+)\//.exec(log) ?? [];
      if (found) resolve(found);
    });
  });
  return {
    url,
    stop: () =>
      new Promise(resolve => {
        server.once("exit", () => resolve());
        process.kill(server.pid!, "SIGTERM");
      }),
  };
}
