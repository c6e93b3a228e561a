import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathOf } from "./available.ts";

const command = join(import.meta.dirname, "../../dist/cli.js");

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  return port;
}

async function answers(url: string, server: ChildProcess): Promise<void> {
  for (let left = 300; left > 0 && server.exitCode === null; left -= 1) {
    if (
      await fetch(`${url}/api`).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return;
    await sleep(100);
  }
  throw new Error("Jupyter's server did not start.");
}

/** Makes an environment in which Jupyter knows our kernel and nothing of the user's, with a folder for its settings. */
export function jupyterEnvironment(folder: string): NodeJS.ProcessEnv {
  const own = join(folder, ".jupyter");
  mkdirSync(own);
  const env = {
    ...process.env,
    HOME: own,
    JUPYTER_DATA_DIR: join(own, "data"),
    JUPYTER_CONFIG_DIR: join(own, "config"),
    JUPYTER_RUNTIME_DIR: join(own, "runtime"),
  };
  execFileSync(process.execPath, [command, "kernel", "install"], { env, stdio: "ignore" });
  return env;
}

/** Serves the notebooks of a folder by the classic Notebook, with our kernel and settings of its own. */
export async function classicNotebook(folder: string): Promise<{ url: string; close(): Promise<void> }> {
  const env = jupyterEnvironment(folder);
  const port = await freePort();
  const settings = ["port_retries=0", "token=", `notebook_dir=${folder}`, "open_browser=False"];
  const server = spawn(
    pathOf("jupyter-notebook")!,
    ["--allow-root", "--ip=127.0.0.1", `--port=${port}`, ...settings.map(each => `--NotebookApp.${each}`)],
    { env, stdio: "ignore" },
  );
  const url = `http://127.0.0.1:${port}`;
  await answers(url, server);
  return {
    url,
    async close() {
      const ended = once(server, "exit");
      server.kill("SIGTERM");
      await ended;
    },
  };
}
