import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmdirSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { delimiter, dirname, join } from "node:path";
import { Command } from "commander";
import { svgToPng } from "../charts/index.ts";
import { dataFolder } from "../host/data-folder.ts";
import {
  installedFrom,
  kernelspecFolder,
  missingFile,
  nativeCompiler,
  readKernelspec,
  typescriptVersion,
} from "../kernels/jupyter/index.ts";
import { unsupportedNode } from "../node-version.ts";
import { loadZeroMq } from "./ipynb/kernel-process.ts";
import { KERNEL_NAME } from "./kernel.ts";

interface Check {
  name: string;
  /** Whether Ketbook itself needs it; otherwise only Jupyter does. */
  needed: boolean;
  /** Returns the finding. Throws an error that says what is wrong and how to fix it. */
  run(): string | Promise<string>;
}

const CHECKS: Check[] = [
  { name: "Node", needed: true, run: nodeVersion },
  { name: "HTTP", needed: true, run: http },
  { name: "Store", needed: true, run: store },
  { name: "Kernel", needed: true, run: kernel },
  { name: "Messages", needed: true, run: () => `zeromq ${loadZeroMq().version}` },
  { name: "Pictures", needed: true, run: pictures },
  { name: "Data folder", needed: true, run: data },
  { name: "Service", needed: true, run: service },
  { name: "Jupyter", needed: false, run: findJupyter },
  { name: "Kernelspec", needed: false, run: kernelspec },
];

export function doctorCommand(): Command {
  return new Command("doctor").description("check the setup and suggest fixes").action(async () => {
    for (const { name, needed, run } of CHECKS) {
      let mark = "✓";
      let text: string;
      try {
        text = await run();
      } catch (error) {
        text = (error as Error).message;
        mark = needed ? "✗" : "–";
        if (needed) process.exitCode = 1;
      }
      process.stdout.write(`${mark} ${name.padEnd(12)} ${text}\n`);
    }
  });
}

async function kernel(): Promise<string> {
  const { transformSync } = await import("oxc-transform");
  const { code } = transformSync("cell.ts", "const kernel: string = '';", {});
  if (!code.includes("const kernel")) throw new Error("cells can't be emitted: npm rebuild oxc-transform");
  const compiler = nativeCompiler();
  if (!compiler) throw new Error("cells run, but without types: npm install typescript@7");
  return `Oxc, and TypeScript ${typescriptVersion()}`;
}

function nodeVersion(): string {
  const reason = unsupportedNode();
  if (reason) throw new Error(reason);
  return process.versions.node;
}

/** Makes a request as the client does, over loopback, as to a local service. */
async function http(): Promise<string> {
  const server = createServer((_, response) => response.end("answered"));
  try {
    const { request } = await import("undici");
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject).listen(0, "127.0.0.1", resolve);
    });
    const { port } = server.address() as AddressInfo;
    const { body } = await request(`http://127.0.0.1:${port}`, { reset: true });
    return `a request over loopback was ${await body.text()}`;
  } catch (error) {
    throw new Error(
      `no request over loopback (${(error as Error).message}): allow connections to 127.0.0.1, or install Ketbook again`,
    );
  } finally {
    server.close();
  }
}

async function store(): Promise<string> {
  const { DatabaseSync } = await import("node:sqlite");
  const database = new DatabaseSync(":memory:");
  const { version } = database.prepare("SELECT sqlite_version() AS version").get() as { version: string };
  database.close();
  return `SQLite ${version}`;
}

function pictures(): string {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"><text y="15">k</text></svg>';
  return `drawn with their fonts, ${svgToPng(svg).bytes.length} bytes for a test`;
}

/** Makes and removes a folder in the data folder, or in the nearest one above it that exists. */
async function data(): Promise<string> {
  const folder = dataFolder();
  let existing = folder;
  while (!existsSync(existing) && dirname(existing) !== existing) existing = dirname(existing);
  const { secureFolder } = await import("../service/node/index.ts");
  try {
    rmdirSync(mkdtempSync(join(existing, ".ketbook-")));
    if (existing === folder) secureFolder(folder);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (!code) throw new Error(message.replace("--data", "KETBOOK_DATA"));
    const isFolder = statSync(existing).isDirectory();
    const reason = isFolder ? `can't be written (${code}): allow it` : "is not a folder: move it elsewhere";
    throw new Error(`${existing} ${reason}, or set KETBOOK_DATA to a folder of yours`);
  }
  return folder;
}

/** Asks the service that notebooks use for a job, with their key. One of this computer starts only when it is needed. */
async function service(): Promise<string> {
  const { Ketbook } = await import("../index.ts");
  const ketbook = new Ketbook({ timeout: 5000, maxRetries: 0 });
  const { url, problem } = ketbook.toJSON();
  const place = process.env.KETBOOK_URL ? "KETBOOK_URL and KETBOOK_API_KEY" : "the data folder's config.json";
  if (problem) throw new Error(problem);
  if (url === null) return "this computer's, which starts when it is needed";
  try {
    await ketbook.client.jobs.list({ limit: 1 });
  } catch (error) {
    const reason = (error as Error).message.replaceAll("\n", " ");
    throw new Error(`${url}: ${reason} Check the address and the key in ${place}`);
  }
  return `${url} answers, and accepts the key`;
}

function kernelspec(): string {
  const folder = kernelspecFolder(KERNEL_NAME);
  const spec = readKernelspec(folder);
  if (!spec) throw new Error("not installed; Jupyter and VS Code need it: npx ketbook kernel install");
  const missing = missingFile(spec);
  if (missing) throw new Error(`${folder} names ${missing}, which has gone: npx ketbook kernel install`);
  const { stdout } = spawnSync(spec.argv[0]!, ["--version"], { encoding: "utf8", timeout: 10_000 });
  const reason = unsupportedNode(stdout?.trim().replace(/^v/, ""));
  // The launcher finds another Node: that of the installation.
  if (reason && !(installedFrom(spec) && existsSync(spec.argv[4]!)))
    throw new Error(`in ${folder}: ${reason} Then: npx ketbook kernel install`);
  return folder;
}

const EXE = process.platform === "win32" ? ".exe" : "";
const BIN = process.platform === "win32" ? "Scripts" : "bin";
const COMMANDS = ["jupyter-lab", "jupyter-notebook", "jupyter"];
const PYTHONS = ["python3", "python", "py"];
const ENVIRONMENTS = [".venv", "venv"];
const PYTHON_TIMEOUT_MS = 10_000;
const VERSIONS = `
import importlib.metadata as m
for name in ("jupyterlab", "notebook", "jupyter_core"):
    try:
        print(name, m.version(name))
        break
    except m.PackageNotFoundError:
        pass
`;

/**
 * Finds Jupyter: a command of it on the PATH, in the virtual environment that is active or in one of the working
 * folder, or a Python there that has it. Throws an error that says how to get it.
 */
function findJupyter(): string {
  const folders = foldersOf(process.env);
  const command = firstIn(folders, COMMANDS);
  if (command) return command;
  for (const folder of folders) {
    const python = firstIn([folder], PYTHONS);
    const version = python && versionIn(python);
    if (version) return `${version}, by ${python} -m jupyter`;
  }
  throw new Error("not found; `ketbook run` and VS Code don't need it. Install: pip install jupyterlab");
}

function foldersOf({ PATH = "", VIRTUAL_ENV, CONDA_PREFIX }: NodeJS.ProcessEnv): string[] {
  const active = [VIRTUAL_ENV, CONDA_PREFIX].filter(prefix => prefix !== undefined && prefix !== "");
  const near = ENVIRONMENTS.map(name => join(process.cwd(), name));
  const environments = [...active, ...near].map(prefix => join(prefix!, BIN));
  return [...environments, ...PATH.split(delimiter)].filter(folder => folder !== "");
}

function firstIn(folders: readonly string[], names: readonly string[]): string | undefined {
  return folders
    .flatMap(folder => names.map(name => join(folder, name + EXE)))
    .find(path => existsSync(path));
}

function versionIn(python: string): string | undefined {
  const { stdout } = spawnSync(python, ["-c", VERSIONS], {
    encoding: "utf8",
    timeout: PYTHON_TIMEOUT_MS,
    stdio: ["ignore", "pipe", "ignore"],
  });
  return stdout?.trim() || undefined;
}
