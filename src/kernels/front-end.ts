import type { MimeBundle } from "../display/index.ts";

export type Publish = (type: string, content: object, metadata?: object) => void;

export interface DisplayOptions {
  /** Names the output, so a later call can replace it. */
  id?: string;
  /** Replaces the output of that id in place instead of adding one. */
  update?: boolean;
  /**
   * Tells anyone who executes the notebook what to make of this output: a `pending` one will still be replaced,
   * a `cleared` one has nothing left to show.
   */
  state?: "pending" | "cleared";
  /** Metadata of the representations, by mime type. */
  metadata?: MimeBundle;
}

export interface FrontEnd {
  /** The notebook kernel that runs this process, `terminal` for a person's, `none` for a pipe or a file. */
  readonly kind: "ketbook" | "tslab" | "deno" | "terminal" | "none";
  /** Whether an output that has been shown can be replaced in place. */
  readonly canUpdate: boolean;
  /** Shows a bundle. Never throws: what can't be shown richly is shown as its text. */
  display(bundle: MimeBundle, options?: DisplayOptions): void;
}

export interface DisplayMessage {
  data: MimeBundle;
  metadata: Record<string, unknown>;
  transient: { display_id?: string };
}

/** A bundle in the words of the Jupyter protocol. Its state goes into the metadata, under `ketbook`. */
export function displayMessage(bundle: MimeBundle, { id, state, metadata }: DisplayOptions): DisplayMessage {
  return {
    data: bundle,
    metadata: { ...metadata, ...(state && { ketbook: { [state]: true } }) },
    transient: id === undefined ? {} : { display_id: id },
  };
}

const KERNEL = Symbol.for("ketbook.kernel");

/** Interface of Ketbook's kernel for the library that its cells import, whichever copy that is. */
interface RunningKernel {
  /** Aborts when the cell that runs now is interrupted; undefined while none runs. */
  interruption(): AbortSignal | undefined;
  /** Keeps the cell from ending, for a while, until a shown value has become final. */
  hold(settled: Promise<unknown>): void;
  /** Shows a bundle as an output of the cell that runs, or ran last. */
  display(message: DisplayMessage, update: boolean): void;
  /** Empties the cell's output, with `wait` when the next one arrives. */
  clear?(wait: boolean): void;
}

/** The Ketbook kernel that this process is, or undefined anywhere else. */
export function runningKernel(): RunningKernel | undefined {
  return (globalThis as { [KERNEL]?: RunningKernel })[KERNEL];
}

export function announceKernel(kernel: RunningKernel): void {
  Object.defineProperty(globalThis, KERNEL, { value: kernel, configurable: true });
}
