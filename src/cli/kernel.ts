import { existsSync } from "node:fs";
import { Command, InvalidArgumentError, Option } from "commander";
import { NotebookError } from "../ipynb/errors.ts";
import {
  kernelspecFolder,
  readKernelspec,
  removeKernelspec,
  writeKernelspec,
} from "../kernels/kernelspec.ts";
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
  name: string;
  preload?: boolean;
}

/** Name of the kernelspec when nothing else is said. */
export const KERNEL_NAME = "ketbook";

const NPX_CACHE = /[\\/]_npx[\\/]/;
const DISPLAY_NAME = "TypeScript (Ketbook)";

/** `ketbook kernel`: makes the TypeScript kernel known to Jupyter, and forgets it again. */
export function kernelCommand(): Command {
  const command = new Command("kernel").description("make the TypeScript kernel known to Jupyter");
  withLocationOptions(command.command("install"))
    .description("write the kernelspec; needs neither Python nor Jupyter")
    .option("--preload", "have the library in every notebook without an import line")
    .addOption(
      new Option("--kernel <name>", "which kernel it starts").choices(KERNEL_NAMES).default("ketbook"),
    )
    .action((options: KernelOptions) => attempt("install", () => install(options)));
  withLocationOptions(command.command("remove"))
    .description("remove the kernelspec")
    .action((options: KernelOptions) => attempt("remove", () => remove(options)));
  return command;
}

function withLocationOptions(command: Command): Command {
  return command
    .option("--user", "in the user's Jupyter folder (the default)")
    .option("--prefix <dir>", "in DIR/share/jupyter, such as a virtual environment's")
    .option("--name <name>", "name of the kernelspec", kernelName, KERNEL_NAME);
}

function install({ kernel, name, prefix, preload }: KernelOptions): string {
  const folder = kernelspecFolder(name, prefix);
  refuseForeign(folder);
  const display_name = name === KERNEL_NAME ? DISPLAY_NAME : `${DISPLAY_NAME}, ${name}`;
  const argv = commandOf(kernel, { connectionFile: "{connection_file}", folder: process.cwd(), preload });
  const runs = kernel === "tslab" ? `tslab ${findTslab(process.cwd()).version}` : kernel;
  if (argv.some(part => NPX_CACHE.test(part))) {
    throw new NotebookError("npm may empty the cache that this runs from: npm install ketbook, then again.");
  }
  writeKernelspec(folder, {
    argv,
    display_name,
    language: "typescript",
    interrupt_mode: kernel === "ketbook" ? "message" : "signal",
    metadata: { ketbook: { kernel: runs }, debugger: runs === "ketbook" },
  });
  return `Installed ${display_name} in ${folder}\nIt runs ${runs === "ketbook" ? "Ketbook's own kernel" : runs} on Node ${process.versions.node}.`;
}

function remove({ name, prefix }: KernelOptions): string {
  const folder = kernelspecFolder(name, prefix);
  if (!existsSync(folder)) return `There is no kernelspec in ${folder}`;
  refuseForeign(folder);
  removeKernelspec(folder);
  return `Removed ${folder}`;
}

function refuseForeign(folder: string): void {
  if (!existsSync(folder) || readKernelspec(folder)?.metadata?.ketbook) return;
  throw new NotebookError(`${folder} was not made by Ketbook and stays as it is. Choose another --name.`);
}

function attempt(verb: string, action: () => string): void {
  try {
    process.stdout.write(`${action()}\n`);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (!(error instanceof NotebookError) && !code) throw error;
    process.stderr.write(`ketbook kernel ${verb}: ${message}\n`);
    process.exitCode = 1;
  }
}

function kernelName(text: string): string {
  if (!/^[\w-][\w.-]{0,63}$/.test(text))
    throw new InvalidArgumentError("Use letters, digits, '-', '_' and '.'.");
  return text;
}
