export {
  installedFrom,
  type Kernelspec,
  kernelspecFolder,
  kernelspecFolders,
  missingFile,
  ownPackage,
  readKernelspec,
  removeKernelspec,
  writeKernelspec,
  writeLauncher,
} from "../kernelspec.ts";
export { nearestPackage } from "../launcher/find-package.ts";
export { type LaunchOptions, launchCommand } from "./command.ts";
export { typescriptVersion } from "./kernel-info.ts";
export { endGroup } from "./lifetime.ts";
export { nativeCompiler } from "./native-types.ts";
export { openWire } from "./wire.ts";

/** Loads the parser and emitter of cells, which are native code. */
export const loadSyntax = async () => (await import("./syntax.ts")).oxc;
