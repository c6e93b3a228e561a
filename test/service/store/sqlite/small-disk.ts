import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  closeSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmdirSync,
  rmSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { storePath } from "../../../../src/service/node/sqlite/open.ts";

/** A process that holds the lock for writing to a data folder's store. */
export interface LockHolder extends AsyncDisposable {
  release(): Promise<void>;
}

/** Starts a process that locks the store of a data folder, as a program does that stops within a transaction. */
export async function lockStore(folder: string): Promise<LockHolder> {
  const source = `
    const { DatabaseSync } = require("node:sqlite");
    const database = new DatabaseSync(${JSON.stringify(storePath(folder))}, { timeout: 5000 });
    database.exec("begin immediate");
    process.stdout.write("locked");
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["--no-warnings", "-e", source], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  const release = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  };
  return { release, [Symbol.asyncDispose]: release };
}

/** A file system of its own that can be filled. */
export interface SmallDisk extends Disposable {
  /** A folder on it. */
  folder: string;
  /** Takes all the room that is left, but for some bytes. Default: all. */
  fill(bytesLeft?: number): void;
  /** Releases that. */
  free(): void;
  /** Lets nothing be written to it, which takes that nobody has a file open for that; or lets it again. */
  setReadOnly(isReadOnly: boolean): void;
}

/** Mounts a file system in memory; undefined where this is not allowed, as it is to root alone. */
export function mountSmallDisk(megabytes: number): SmallDisk | undefined {
  const mount = mkdtempSync(join(tmpdir(), "ketbook-disk-"));
  const { status } = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", mount]);
  if (status !== 0) {
    rmdirSync(mount);
    return undefined;
  }
  const folder = join(mount, "data");
  mkdirSync(folder, { mode: 0o700 });
  const filling = join(mount, "filling");
  return {
    folder,
    fill(bytesLeft = 0) {
      const descriptor = openSync(filling, "w");
      for (const size of [65_536, 4096, 1]) {
        const block = Buffer.alloc(size);
        try {
          while (writeSync(descriptor, block) === size);
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
        }
      }
      ftruncateSync(descriptor, Math.max(0, fstatSync(descriptor).size - bytesLeft));
      closeSync(descriptor);
    },
    free: () => rmSync(filling, { force: true }),
    setReadOnly(isReadOnly) {
      const options = `remount,${isReadOnly ? "ro" : "rw"}`;
      if (spawnSync("mount", ["-o", options, mount]).status !== 0) throw new Error(`${options} failed.`);
    },
    [Symbol.dispose]() {
      spawnSync("umount", ["-l", mount]);
      rmdirSync(mount);
    },
  };
}

/** Whether this process may mount file systems. */
export const canMount = (() => {
  using disk = mountSmallDisk(1);
  return disk !== undefined;
})();
