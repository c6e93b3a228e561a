import { accessSync, constants, existsSync } from "node:fs";
import { dirname, isAbsolute } from "node:path";
import { Command } from "commander";
import { svgToPng } from "../charts/png.ts";
import { dataFolder } from "../contract/local.ts";
import { kernelspecFolder, readKernelspec } from "../kernels/kernelspec.ts";
import { findTslab, loadZeroMq } from "./ipynb/locate.ts";
import { findJupyter } from "./jupyter.ts";
import { KERNEL_NAME } from "./kernel.ts";

interface Check {
  name: string;
  /** Whether Ketbook itself needs it; otherwise only Jupyter does. */
  needed: boolean;
  /** Returns what was found. Throws an error that says what is wrong and how to mend it. */
  look(): string;
}

const CHECKS: Check[] = [
  { name: "Node", needed: true, look: nodeVersion },
  { name: "Kernel", needed: true, look: () => `tslab ${findTslab(process.cwd()).version}` },
  { name: "Messages", needed: true, look: () => `zeromq ${loadZeroMq(findTslab(process.cwd())).version}` },
  { name: "Pictures", needed: true, look: pictures },
  { name: "Data folder", needed: true, look: data },
  { name: "Jupyter", needed: false, look: findJupyter },
  { name: "Kernelspec", needed: false, look: kernelspec },
];

/** `ketbook doctor`: says what is missing and how to mend it. */
export function doctorCommand(): Command {
  return new Command("doctor").description("say what is missing and how to mend it").action(() => {
    for (const { name, needed, look } of CHECKS) {
      const { found, wrong } = outcome(look);
      const mark = found !== undefined ? "✓" : needed ? "✗" : "–";
      process.stdout.write(`${mark} ${name.padEnd(12)} ${found ?? wrong}\n`);
      if (found === undefined && needed) process.exitCode = 1;
    }
  });
}

function outcome(look: () => string): { found?: string; wrong?: string } {
  try {
    return { found: look() };
  } catch (error) {
    return { wrong: (error as Error).message };
  }
}

function nodeVersion(): string {
  const { node } = process.versions;
  const [major = 0, minor = 0] = node.split(".").map(Number);
  if (major > 22 || (major === 22 && minor >= 13)) return node;
  throw new Error(`${node} is too old: install Node 22.13 or later from nodejs.org`);
}

function pictures(): string {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"><text y="15">k</text></svg>';
  return `drawn with their fonts, ${svgToPng(svg).bytes.length} bytes for a test`;
}

function data(): string {
  const folder = dataFolder();
  let existing = folder;
  while (!existsSync(existing) && dirname(existing) !== existing) existing = dirname(existing);
  try {
    accessSync(existing, constants.W_OK | constants.X_OK);
  } catch {
    throw new Error(`${existing} can't be written: allow it, or set KETBOOK_DATA to a folder of yours`);
  }
  return folder;
}

function kernelspec(): string {
  const folder = kernelspecFolder(KERNEL_NAME);
  const spec = readKernelspec(folder);
  if (!spec) throw new Error("not installed; Jupyter and VS Code need it: npx ketbook kernel install");
  const missing = spec.argv.filter(part => isAbsolute(part)).find(path => !existsSync(path));
  if (missing) throw new Error(`${folder} names ${missing}, which has gone: npx ketbook kernel install`);
  return folder;
}
