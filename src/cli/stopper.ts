import type { Log } from "../service/log.ts";

/** Returns what stops a service and ends the process, or ends it at once when called again. */
export function stopper(service: { stop(): Promise<void> }, log: Log): () => void {
  let stopping = false;
  return () => {
    if (stopping) process.exit(1);
    stopping = true;
    service.stop().then(
      () => process.exit(0),
      error => {
        log("error", "stop", { error: String(error) });
        process.exit(1);
      },
    );
  };
}
