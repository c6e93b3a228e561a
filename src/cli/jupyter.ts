import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

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
export function findJupyter(): string {
  const folders = foldersOf(process.env);
  const command = firstIn(folders, COMMANDS);
  if (command) return command;
  for (const folder of folders) {
    const python = firstIn([folder], PYTHONS);
    const version = python && versionIn(python);
    if (version) return `${version}, by ${python} -m jupyter`;
  }
  throw new Error("not found; `ketbook run` and VS Code do without, otherwise: pip install jupyterlab");
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
