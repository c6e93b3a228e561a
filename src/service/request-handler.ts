import type { Context } from "./context.ts";
import { createApp, type RequestLimits } from "./http/app.ts";
import type { CallState } from "./http/call-state.ts";
import type { LocalIdentity } from "./http/local.ts";
import type { Log } from "./log.ts";
import type { Metric } from "./metrics/exposition.ts";
import { createMetrics } from "./metrics/metrics.ts";
import { createReadiness, type DiskSpace } from "./store/readiness.ts";
import type { Printer } from "./workers/printer.ts";

/** Parts of a service's interface. */
export interface RequestHandlerParts {
  context: Context;
  printer: Printer;
  version: string;
  log: Log;
  limits?: RequestLimits | undefined;
  /** Names by which requests may call it, besides those of this machine; undefined: any name. */
  allowedHosts?: readonly string[] | undefined;
  /** Returns what the service says of itself to notebooks on this machine. Default: nothing. */
  identity?: (() => LocalIdentity) | undefined;
  /** Returns metrics of where the service runs, beside its own. Default: none. */
  hostMetrics?: (() => Metric[]) | undefined;
  /** Reads how much room the store's disk has. Default: that is not known. */
  readDiskSpace?: (() => Promise<DiskSpace | undefined>) | undefined;
}

/** Answers requests, wherever they come from. */
export interface RequestHandler {
  answer(request: Request, connection: CallState["Bindings"]): Promise<Response>;
  /** Requests that are not answered yet. */
  readonly requests: number;
  /** Time of the last request, by the monotonic clock. */
  readonly lastRequest: number;
}

/** Makes the interface of a service. */
export function createRequestHandler({
  hostMetrics,
  readDiskSpace,
  ...parts
}: RequestHandlerParts): RequestHandler {
  const { store, clock } = parts.context;
  const readiness = createReadiness(store, readDiskSpace);
  const app = createApp({
    ...parts,
    allowedHosts: parts.allowedHosts,
    identity: parts.identity,
    readiness,
    metrics: createMetrics({ store, clock, readiness, readDiskSpace, hostMetrics }),
  });
  let requests = 0;
  let lastRequest = performance.now();
  return {
    answer(request, connection) {
      lastRequest = performance.now();
      requests += 1;
      return Promise.resolve(app.fetch(request, connection)).finally(() => {
        requests -= 1;
      });
    },
    get requests() {
      return requests;
    },
    get lastRequest() {
      return lastRequest;
    },
  };
}
