import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { homedir, platform } from "node:os";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";
import { attempted, succeeds } from "../host/attempted.ts";

export interface Kernelspec {
  /** The command that starts the kernel; `{connection_file}` stands for the file's path. */
  argv: string[];
  display_name: string;
  language: string;
  /** Jupyter's way to interrupt a cell: by a signal, or by a message on the control channel. */
  interrupt_mode?: "signal" | "message";
  metadata?: Record<string, unknown>;
}

const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="12" fill="#0072B2"/>
<g fill="none" stroke="#fff" stroke-width="5" stroke-linecap="round" stroke-linejoin="round"><path d="M14 14v36M40 14l12 18-12 18"/>
<path d="M22 26v6a6 6 0 0 0 12 0v-6M28 26v22" stroke-width="4"/></g></svg>
`;

/** The folder in which Jupyter looks for the user's own things, whether or not Jupyter is installed. */
function jupyterDataFolder(env: NodeJS.ProcessEnv = process.env): string {
  if (env.JUPYTER_DATA_DIR) return env.JUPYTER_DATA_DIR;
  if (platform() === "win32") return join(env.APPDATA ?? join(homedir(), "AppData", "Roaming"), "jupyter");
  if (platform() === "darwin") return join(homedir(), "Library", "Jupyter");
  return join(env.XDG_DATA_HOME || join(homedir(), ".local", "share"), "jupyter");
}

/** The folder of a kernelspec: the user's, or under a prefix such as a virtual environment's. */
export function kernelspecFolder(name: string, prefix?: string): string {
  const data = prefix === undefined ? jupyterDataFolder() : join(prefix, "share", "jupyter");
  return join(data, "kernels", name);
}

/** The folders of all kernelspecs that Jupyter finds: the user's, of the active Python environment, and the system's. */
export function kernelspecFolders(env: NodeJS.ProcessEnv = process.env): string[] {
  const prefixes = [env.VIRTUAL_ENV, env.CONDA_PREFIX, "/usr/local", "/usr"].filter(prefix => prefix);
  const roots = [
    ...(env.JUPYTER_PATH ?? "").split(delimiter).filter(path => path !== ""),
    jupyterDataFolder(env),
    ...prefixes.map(prefix => join(prefix!, "share", "jupyter")),
  ];
  return [...new Set(roots)].flatMap(root => {
    const kernels = join(root, "kernels");
    return existsSync(kernels) ? readdirSync(kernels).map(name => join(kernels, name)) : [];
  });
}

/** A file that a kernelspec's command needs and that has gone. The package that installed it may go. */
export function missingFile(spec: Kernelspec): string | undefined {
  const needed = installedFrom(spec) === undefined ? spec.argv : spec.argv.slice(0, 2);
  return needed.filter(part => isAbsolute(part)).find(path => !existsSync(path));
}

export function writeKernelspec(folder: string, spec: Kernelspec): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "kernel.json"), `${JSON.stringify(spec, undefined, 2)}\n`);
  writeFileSync(join(folder, "logo-svg.svg"), LOGO);
}

/** The program in a kernelspec's folder that starts the kernel of the Ketbook nearest to a notebook. */
const LAUNCHER = "launcher.cjs";
const BUILT = fileURLToPath(
  new URL(
    import.meta.url.endsWith(".ts") ? "../../dist/kernel-launcher.cjs" : "./kernel-launcher.cjs",
    import.meta.url,
  ),
);

/** The package that this program is of. */
export const ownPackage = (): string => dirname(dirname(BUILT));

/** Writes the launcher into the folder of a kernelspec. Returns the command that starts a kernel by it. */
export function writeLauncher(folder: string, node: string, options: readonly string[]): string[] {
  mkdirSync(folder, { recursive: true });
  const launcher = join(folder, LAUNCHER);
  copyFileSync(BUILT, launcher);
  return [node, launcher, "{connection_file}", ownPackage(), process.execPath, ...options];
}

/** The package that a kernelspec's launcher uses without a nearer one; undefined for a kernelspec without a launcher. */
export const installedFrom = ({ argv }: Kernelspec): string | undefined =>
  argv[1]?.endsWith(LAUNCHER) ? argv[3] : undefined;

export const readKernelspec = (folder: string): Kernelspec | undefined =>
  attempted(() => JSON.parse(readFileSync(join(folder, "kernel.json"), "utf8")));

/** Removes a kernelspec, and the folders above it as far as Jupyter's own that hold nothing else. */
export function removeKernelspec(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  const kernels = dirname(folder);
  for (const parent of [kernels, dirname(kernels)]) {
    if (existsSync(parent) && !succeeds(() => rmdirSync(parent))) return;
  }
}
