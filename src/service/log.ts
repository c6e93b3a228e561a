import { fstatSync } from "node:fs";
import { Socket } from "node:net";
import type { Writable } from "node:stream";

/** Writes one structured line. */
export type Log = (level: "info" | "error", event: string, fields?: Record<string, unknown>) => void;

const maxBacklog = 1024 * 1024;

/**
 * Logs to the error output, one JSON object a line. A reader who is slow, or gone, never holds the service up: what
 * waits is bounded, and lines beyond that are dropped.
 */
export function logToErrorOutput(): Log {
  const output = errorOutput();
  output.on("error", () => {});
  return (level, event, fields = {}) => {
    if (output.writableLength > maxBacklog) return;
    output.write(`${JSON.stringify({ time: new Date().toISOString(), level, event, ...fields })}\n`);
  };
}

/** Node waits for the reader of a pipe when it writes to `process.stderr`; a socket around the pipe does not. */
function errorOutput(): Writable {
  const fd = 2;
  const kind = fstatSync(fd);
  return kind.isFIFO() || kind.isSocket()
    ? new Socket({ fd, readable: false, writable: true })
    : process.stderr;
}
