/** Writes one structured line. */
export type Log = (level: "info" | "error", event: string, fields?: Record<string, unknown>) => void;
