/** Writes one structured line. */
export type Log = (level: "info" | "error", event: string, fields?: Record<string, unknown>) => void;

/** Logs to a stream, one JSON object a line. */
export function logTo(stream: { write(text: string): unknown }): Log {
  return (level, event, fields = {}) => {
    stream.write(`${JSON.stringify({ time: new Date().toISOString(), level, event, ...fields })}\n`);
  };
}
