import type ts from "@tslab/typescript-for-tslab";

/** The compiler that tslab brings along. */
export type TypeScript = typeof ts;

/** What of a message of the Jupyter protocol the kernel's own code hands around. */
export interface KernelMessage {
  header: { msg_type: string };
  content: Record<string, unknown>;
  createReply(): KernelMessage;
  signAndSend(key: string, socket: unknown): void;
}

/** tslab's server: one socket a channel. */
export interface KernelServer {
  connInfo: { key: string };
  iopub: unknown;
  control: unknown;
  handler: { executor: Executor };
  handleExecute(socket: unknown, message: KernelMessage): Promise<void>;
  handleShellMessage(socket: unknown, ...frames: Buffer[]): Promise<void>;
  publishStatus(status: string, parent: KernelMessage): void;
  bindSocket(socket: unknown, port: number): Promise<void>;
  close(): void;
}

/** tslab's handler of requests that are answered at once. */
export interface KernelHandler {
  handleExecuteImpl(
    request: object,
    writeStream: (name: string, text: string) => void,
    ...others: unknown[]
  ): Promise<unknown>;
  handleKernel(): Record<string, unknown>;
  handleInspect(request: { code: string; cursor_pos: number }): object;
  handleComplete(request: { code: string; cursor_pos: number }): object;
  handleIsComplete(request: { code: string }): object;
  handleShutdown(request: { restart?: boolean }): object;
}

/** What is wrong with a cell's types or syntax. Lines and characters are counted from 0. */
export interface CellDiagnostic {
  start: { line: number; character: number };
  end: { line: number; character: number };
  messageText: string;
  fileName?: string;
}

/** What tslab makes from a cell's program. */
export interface Converted {
  output?: string;
  /** The types of everything declared so far. */
  declOutput?: string;
  diagnostics: CellDiagnostic[];
}

/** tslab's compiler of cells. */
export interface Converter {
  convert(earlier: string, source: string): Converted;
  inspect(earlier: string, source: string, position: number): unknown;
  complete(earlier: string, source: string, position: number): unknown;
  addModule(name: string, content: string, meta: unknown): CellDiagnostic[];
  close(): void;
}

/** tslab's runner of cells. */
export interface Executor {
  execute(source: string): Promise<boolean>;
  interrupt(): void;
}

/** What tslab's executor tells of a cell: its last value, and what went wrong. */
export interface ExecutorConsole {
  log(value: unknown): void;
  error(...values: unknown[]): void;
}

/** tslab's own modules, as they are loaded in this process. What a version lacks is undefined. */
export interface TslabModules {
  typescript?: Partial<TypeScript>;
  converter?: { createConverter?: (options?: object) => Converter };
  executor?: {
    createExecutor?: (root: string, converters: unknown, console: ExecutorConsole) => Executor;
  };
  jupyter?: {
    ZmqServer?: { prototype: Partial<KernelServer> };
    JupyterHandlerImpl?: { prototype: Partial<KernelHandler> };
    lastWriteDisplayData?: ((content: object, update: boolean) => void) | null;
  };
  main?: { startKernel?: (options: object) => void };
  zeromq?: Partial<typeof import("zeromq")>;
}
