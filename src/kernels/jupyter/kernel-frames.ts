import { fileURLToPath } from "node:url";
import { ownLibrary } from "../own-library.ts";

const OWN_FOLDERS = [
  fileURLToPath(new URL(import.meta.url.endsWith(".ts") ? ".." : ".", import.meta.url)),
  ...[ownLibrary()].filter(folder => folder !== undefined),
];
const KERNEL_FRAME = /[( ]node:|[\\/](?:tslab|ketbook)[\\/]dist[\\/]|[( ]<anonymous>\)?$/;

/** Whether a line of a stack trace speaks of the kernel itself, of its library or of Node. */
export const isKernelFrame = (frame: string): boolean =>
  KERNEL_FRAME.test(frame) || OWN_FOLDERS.some(folder => frame.includes(folder));
