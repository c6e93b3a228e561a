import { closeSync, fstatSync, openSync, renameSync, statSync, writeSync } from "node:fs";
import { Socket } from "node:net";
import type { Writable } from "node:stream";
import type { Log } from "../index.ts";

const MAX_BACKLOG = 1024 * 1024;
const MAX_FILE_BYTES = 1024 * 1024;
const KEPT_FILES = 3;
const CHECK_INTERVAL_MS = 1000;

const toLine = (...[level, event, fields]: Parameters<Log>) =>
  `${JSON.stringify({ time: new Date().toISOString(), level, event, ...fields })}\n`;

/**
 * Logs to the error output, one JSON object a line. A reader who is slow, or gone, never holds the service up: what
 * waits is bounded, and lines beyond that are dropped.
 */
export function logToErrorOutput(): Log {
  const output = errorOutput();
  output.on("error", () => {});
  return (...entry) => {
    if (output.writableLength <= MAX_BACKLOG) output.write(toLine(...entry));
  };
}

/**
 * Logs to a file that only its owner can read. A file of a MiB is renamed to end in `.1`, and older ones in `.2` and
 * `.3`. While the disk is full, lines are dropped, and the first that fits says how many. A file that was moved or
 * removed is made again within a second.
 */
export function logToFile(path: string): Log {
  let dropped = 0;
  let file: LogFile | undefined;
  const close = () => {
    const { descriptor } = file!;
    file = undefined;
    closeSync(descriptor);
  };
  return (level, event, fields) => {
    try {
      const line = toLine(level, event, dropped > 0 ? { ...fields, dropped } : fields);
      if (file && performance.now() >= file.checkAt && !isInPlace(path, file)) close();
      file ??= openLog(path);
      file.size += writeSync(file.descriptor, line);
      if (file.size >= MAX_FILE_BYTES) {
        const isOwn = isInPlace(path, file);
        close();
        if (isOwn) rotate(path);
      }
      dropped = 0;
    } catch {
      dropped += 1;
    }
  };
}

interface LogFile {
  descriptor: number;
  /** As far as this process knows: others may write to it as well. */
  size: number;
  /** Time of the next check that the file is still in place, by the monotonic clock. */
  checkAt: number;
}

function openLog(path: string): LogFile {
  const descriptor = openSync(path, "a", 0o600);
  return { descriptor, size: fstatSync(descriptor).size, checkAt: performance.now() + CHECK_INTERVAL_MS };
}

/** Whether a log is still the file of its name; notes how large it is. */
function isInPlace(path: string, file: LogFile): boolean {
  const { ino, size } = fstatSync(file.descriptor);
  Object.assign(file, { size, checkAt: performance.now() + CHECK_INTERVAL_MS });
  return statSync(path, { throwIfNoEntry: false })?.ino === ino;
}

/** Renames a log, and those that were renamed before, of which the oldest is replaced. */
function rotate(path: string): void {
  for (let at = KEPT_FILES; at > 0; at -= 1) {
    try {
      renameSync(at > 1 ? `${path}.${at - 1}` : path, `${path}.${at}`);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
  }
}

/** Node waits for the reader of a pipe when it writes to `process.stderr`; a socket around the pipe does not. */
function errorOutput(): Writable {
  const fd = 2;
  const kind = fstatSync(fd);
  return kind.isFIFO() || kind.isSocket()
    ? new Socket({ fd, readable: false, writable: true })
    : process.stderr;
}
