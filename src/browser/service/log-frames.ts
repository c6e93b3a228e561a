import { UncertainError } from "../../service/index.ts";

/**
 * Makes the function that brings what was committed to the disk. After a flush that failed, the system may take for
 * written what is lost: nothing counts as durable until `checkpoint` has moved the whole log into the database, and
 * that was flushed. Throws an `UncertainError` until then.
 */
export function createLogFlush(flush: () => void, checkpoint: () => Promise<void>): () => Promise<void> {
  let hasFailed = false;
  return async () => {
    try {
      if (!hasFailed) return flush();
    } catch {
      hasFailed = true;
    }
    try {
      await checkpoint();
      flush();
    } catch (cause) {
      throw cause instanceof UncertainError ? cause : new UncertainError(cause);
    }
    hasFailed = false;
  };
}

/** An open file of the browser's storage (`FileSystemSyncAccessHandle`). */
export interface AccessHandle {
  read(target: Uint8Array, place: { at: number }): number;
  write(bytes: Uint8Array, place: { at: number }): number;
  truncate(bytes: number): void;
  getSize(): number;
  flush(): void;
  close(): void;
}

/** Bytes before each page in a write-ahead log, and where in them the size of the database is, which ends a commit. */
const FRAME_HEADER_BYTES = 24;
const DATABASE_SIZE_OFFSET = 4;
const MAX_HELD_BYTES = 1 << 18;

/**
 * Makes a file hold back the frames of a write-ahead log until one ends a commit, and write them at once: SQLite writes
 * each page and its header by itself, and a private window passes each write to another process. A commit that can't be
 * written fails in the write that ends it, so SQLite takes it back. Files with writes since they were flushed are
 * in `unflushed`.
 */
export function gatherFrames(file: AccessHandle, unflushed: Set<AccessHandle>): AccessHandle {
  const held = new Uint8Array(MAX_HELD_BYTES);
  let start = 0;
  let size = 0;
  let endsCommit = false;
  let lastRead: number | undefined;

  function writeThrough(bytes: Uint8Array, at: number): number {
    unflushed.add(gathered);
    return file.write(bytes, { at });
  }

  /** Writes what is held, once: SQLite takes back whatever can't be written. */
  function writeHeld(): void {
    if (size === 0) return;
    const frames = held.subarray(0, size);
    size = 0;
    if (writeThrough(frames, start) < frames.length)
      throw new Error("The browser stored only part of a commit.");
  }

  function hold(bytes: Uint8Array, at: number): void {
    if (size + bytes.length > held.length) writeHeld();
    if (size === 0) start = at;
    held.set(bytes, size);
    size += bytes.length;
  }

  const gathered: AccessHandle = {
    write(bytes, { at }) {
      // A header that was just read is written again without its page.
      const isHeader = bytes.length === FRAME_HEADER_BYTES && at !== lastRead;
      lastRead = undefined;
      if (at !== start + size) writeHeld();
      if (size === 0 && !isHeader) return writeThrough(bytes, at);
      hold(bytes, at);
      if (isHeader)
        endsCommit = bytes.subarray(DATABASE_SIZE_OFFSET, DATABASE_SIZE_OFFSET + 4).some(byte => byte !== 0);
      else if (endsCommit) writeHeld();
      return bytes.length;
    },
    read(target, place) {
      writeHeld();
      lastRead = place.at;
      return file.read(target, place);
    },
    truncate(bytes) {
      writeHeld();
      file.truncate(bytes);
    },
    getSize: () => Math.max(file.getSize(), size === 0 ? 0 : start + size),
    flush() {
      writeHeld();
      file.flush();
      unflushed.delete(gathered);
    },
    close() {
      writeHeld();
      file.close();
      unflushed.delete(gathered);
    },
  };
  return gathered;
}
