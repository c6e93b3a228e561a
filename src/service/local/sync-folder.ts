import { closeSync, fsyncSync, openSync } from "node:fs";
import { platform } from "node:os";

/** Makes the contents of a file last through a loss of power. */
export function syncFile(path: string): void {
  const descriptor = openSync(path, "r+");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Makes the names of new and renamed files last through a loss of power; Windows knows no such call. */
export function syncFolder(folder: string): void {
  if (platform() === "win32") return;
  const descriptor = openSync(folder, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
