import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { basename, delimiter, join } from "node:path";
import { Command, InvalidArgumentError, Option } from "commander";
import { NotebookError } from "../ipynb/index.ts";
import { INSTALL_COMMAND, LIBRARY } from "../kernels/cells/index.ts";
import {
  installedFrom,
  type Kernelspec,
  kernelspecFolder,
  kernelspecFolders,
  missingFile,
  nearestPackage,
  ownPackage,
  readKernelspec,
  removeKernelspec,
  writeKernelspec,
  writeLauncher,
} from "../kernels/jupyter/index.ts";
import { explained } from "./explained.ts";
import {
  kernelCommand as commandOf,
  findTslab,
  KERNEL_NAMES,
  type KernelName,
} from "./ipynb/kernel-process.ts";

interface KernelOptions {
  kernel: KernelName;
  user?: boolean;
  prefix?: string;
  sysPrefix?: boolean;
  name: string;
  displayName?: string;
  preload?: boolean;
}

export const KERNEL_NAME = LIBRARY;

const NPX_CACHE = /[\\/]_npx[\\/]/;
const IN_PROJECT = /[\\/]node_modules[\\/]/;
const DISPLAY_NAME = "TypeScript (Ketbook)";

export function kernelCommand(): Command {
  const command = new Command("kernel").description("register the TypeScript kernel with Jupyter");
  withLocationOptions(command.command("install"))
    .description("write the kernelspec; needs neither Python nor Jupyter")
    .option("--display-name <name>", `name that Jupyter shows (default: ${DISPLAY_NAME})`)
    .option("--preload", "have the library in every notebook without an import line")
    .addOption(
      new Option("--kernel <name>", "which kernel it starts").choices(KERNEL_NAMES).default("ketbook"),
    )
    .action((options: KernelOptions) => attempt("install", () => install(options)));
  withLocationOptions(command.command("remove"))
    .alias("uninstall")
    .description("remove the kernelspec")
    .action((options: KernelOptions) => attempt("remove", () => remove(options)));
  command
    .command("list")
    .description("list the kernelspecs of Ketbook, and which Ketbook each starts in this folder")
    .action(() => attempt("list", list));
  return command;
}

function withLocationOptions(command: Command): Command {
  return command
    .option("--user", "in the user's Jupyter folder (the default)")
    .addOption(
      new Option("--prefix <dir>", "in DIR/share/jupyter, such as a virtual environment's").conflicts("user"),
    )
    .addOption(
      new Option("--sys-prefix", "in the Python environment that is active").conflicts(["user", "prefix"]),
    )
    .option("--name <name>", "name of the kernelspec", kernelName, KERNEL_NAME);
}

function folderOf({ name, prefix, sysPrefix }: Omit<KernelOptions, "kernel">): string {
  if (!sysPrefix) return kernelspecFolder(name, prefix);
  const environment = pythonPrefix();
  if (environment === undefined)
    throw new NotebookError(
      "No Python environment is active and no python3 is on the PATH. Give its folder: --prefix.",
    );
  return kernelspecFolder(name, environment);
}

/** The folder of the Python environment that is active, otherwise that of the Python on the PATH. */
function pythonPrefix(): string | undefined {
  const { VIRTUAL_ENV, CONDA_PREFIX } = process.env;
  if (VIRTUAL_ENV || CONDA_PREFIX) return VIRTUAL_ENV || CONDA_PREFIX;
  const answers = ["python3", "python"].map(python =>
    spawnSync(python, ["-c", "import sys; print(sys.prefix)"], { encoding: "utf8", timeout: 10_000 }),
  );
  return answers.map(({ stdout }) => stdout?.trim()).find(prefix => prefix);
}

function install({ kernel, displayName, preload, ...location }: KernelOptions): string {
  const { name } = location;
  const folder = folderOf(location);
  refuseForeign(folder);
  const display_name = displayName ?? (name === KERNEL_NAME ? DISPLAY_NAME : `${DISPLAY_NAME}, ${name}`);
  if ([ownPackage(), process.execPath].some(path => NPX_CACHE.test(path)))
    throw new NotebookError(
      `npm may empty the cache that this runs from: npm install ${LIBRARY}, then again.`,
    );
  const isOwn = kernel === "ketbook";
  const runs = kernel === "tslab" ? `tslab ${findTslab(process.cwd()).version}` : kernel;
  const argv = isOwn
    ? writeLauncher(folder, lastingNode(), preload ? ["--preload"] : [])
    : commandOf(kernel, { connectionFile: "{connection_file}", folder: process.cwd(), preload });
  writeKernelspec(folder, {
    argv,
    display_name,
    language: "typescript",
    interrupt_mode: isOwn ? "message" : "signal",
    metadata: { ketbook: { kernel: runs }, debugger: isOwn },
  });
  const says = isOwn
    ? "In each notebook's folder it runs the Ketbook that is installed there or above, otherwise this one,"
    : `It runs ${runs}`;
  return `Installed ${display_name} in ${folder}\n${says} on Node ${process.versions.node}.`;
}

/** The Node that starts the launcher: not one that goes with a project's node_modules, where there is another. */
function lastingNode(): string {
  if (!IN_PROJECT.test(process.execPath)) return process.execPath;
  const name = process.platform === "win32" ? "node.exe" : "node";
  const paths = (process.env.PATH ?? "").split(delimiter).map(folder => join(folder, name));
  return paths.find(path => !IN_PROJECT.test(path) && existsSync(path)) ?? process.execPath;
}

function remove(location: Omit<KernelOptions, "kernel">): string {
  const folder = folderOf(location);
  if (!existsSync(folder)) return `There is no kernelspec in ${folder}`;
  refuseForeign(folder);
  removeKernelspec(folder);
  return `Removed ${folder}`;
}

function list(): string {
  const lines = kernelspecFolders().flatMap(folder => {
    const spec = readKernelspec(folder);
    const made = spec?.metadata?.ketbook as { kernel?: string } | undefined;
    return spec && made
      ? [`${basename(folder)}\t${spec.display_name}\n  ${folder}\n  ${startedBy(spec, made.kernel)}`]
      : [];
  });
  return lines.join("\n") || `No kernelspec of Ketbook is installed: ${INSTALL_COMMAND}`;
}

/** Says what a kernelspec starts for a notebook in the working folder. */
function startedBy(spec: Kernelspec, kernel = "ketbook"): string {
  const missing = missingFile(spec);
  if (missing) return `starts nothing: ${missing} has gone. Run: ${INSTALL_COMMAND}`;
  const installed = installedFrom(spec);
  if (installed === undefined) return `starts ${kernel}: ${spec.argv.join(" ")}`;
  const found = nearestPackage(process.cwd(), installed);
  return found
    ? `starts Ketbook ${found.version} in ${found.folder}`
    : `starts nothing here: npm install ${LIBRARY}`;
}

function refuseForeign(folder: string): void {
  if (!existsSync(folder) || readKernelspec(folder)?.metadata?.ketbook) return;
  throw new NotebookError(`${folder} was not made by Ketbook and stays as it is. Choose another --name.`);
}

const attempt = (verb: string, action: () => string) =>
  explained(`kernel ${verb}`, () => process.stdout.write(`${action()}\n`));

function kernelName(text: string): string {
  if (!/^[\w-][\w.-]{0,63}$/.test(text))
    throw new InvalidArgumentError("Use letters, digits, '-', '_' and '.'.");
  return text;
}
