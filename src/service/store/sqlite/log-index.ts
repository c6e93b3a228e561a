import { readFileSync } from "node:fs";

/** The write-ahead log of a SQLite file, as the index that SQLite keeps of it in `-shm` has it. */
export interface LogIndex {
  /** Pages in the log. */
  frames: number;
  /** Those of them that the database has, too. */
  moved: number;
  /** Changes whenever the log begins again. */
  salt: string;
}

const HEADER_BYTES = 48;

/** Reads the index, which a process that was killed leaves behind; undefined where there is none. */
export function readLogIndex(path: string): LogIndex | undefined {
  let bytes: Buffer;
  try {
    bytes = readFileSync(`${path}-shm`);
  } catch {
    return undefined;
  }
  const [header, copy] = [0, HEADER_BYTES].map(at => bytes.subarray(at, at + HEADER_BYTES));
  if (bytes.length < 3 * HEADER_BYTES || !header!.equals(copy!)) return undefined;
  const words = new Uint32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + 3 * HEADER_BYTES));
  return { frames: words[4]!, moved: words[24]!, salt: header!.toString("hex", 32, 40) };
}

/** Counts the pages of a log that were lost between a process that wrote it and the one that has now read it. */
export function lostPages(written: LogIndex | undefined, read: LogIndex | undefined): number {
  if (!written || written.frames <= written.moved) return 0;
  return Math.max(0, written.frames - (read?.salt === written.salt ? read.frames : 0));
}
