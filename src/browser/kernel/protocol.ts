import type { Failure } from "../../kernels/errors/failure.ts";
import type { Downlevelled } from "./syntax.ts";

/** Another service than the page's own. Its key stays in this browser. */
export interface HostedService {
  url: string;
  apiKey: string;
}

/** Messages from the page to the worker that runs cells. */
export type ToKernel =
  | {
      type: "start";
      /** Port of the page's own service. */
      service: MessagePort;
      hosted: HostedService | undefined;
      /** Counts the interrupts in its first place, where the page is isolated and memory can be shared. */
      interrupts: Int32Array | undefined;
    }
  | { type: "execute"; id: number; code: string; count: number; timed: boolean }
  | { type: "interrupt" }
  /** Output of TypeScript's own compiler; undefined if unavailable. */
  | { type: "emitted"; id: number; emitted: Downlevelled | undefined };

/** Messages from that worker to the page. */
export type FromKernel =
  /** The worker has been loaded, and waits to be started. */
  | { type: "loaded" }
  | { type: "unavailable"; message: string }
  /** Asks for what TypeScript's own compiler makes of a source. */
  | { type: "emit"; id: number; source: string }
  | { type: "notes"; notes: readonly string[] }
  /** A message of the Jupyter protocol that belongs to a run. */
  | { type: "publish"; id: number; message: string; content: object }
  /** A run has ended. `names` are those that cells have declared. */
  | { type: "done"; id: number; failure: Failure | undefined; names: readonly string[] }
  | { type: "download"; name: string; data: string | Uint8Array };
