import type { Language } from "../cells/syntax.ts";
import type { Failure } from "../errors/failure.ts";

/** Places in the memory that the threads of the kernel share. */
export const SHARED = {
  heard: 0,
  running: 1,
  stopping: 2,
  queued: 3,
  answered: 4,
  answerLength: 5,
  closing: 6,
  closed: 7,
  size: 8,
} as const;

/** The longest answer to a synchronous question such as `prompt()`, in bytes. */
export const MAX_ANSWER = 65_536;

/** Data for starting the protocol's thread. */
export interface ServerData {
  connection: Connection;
  folder: string;
  language: Language;
  /** Whether cells have the library without an import. */
  preload: boolean;
  /** Whether a cell waits for the check of its types, however long that takes. */
  waitForTypes: boolean;
  shared: SharedArrayBuffer;
  answer: SharedArrayBuffer;
}

/** Addresses of a kernel, as in Jupyter's connection files. */
export interface Connection {
  transport: string;
  ip: string;
  key: string;
  signature_scheme: string;
  shell_port: number;
  iopub_port: number;
  stdin_port: number;
  control_port: number;
  hb_port: number;
}

/** A cell to be run. */
export interface ExecuteCommand {
  type: "execute";
  /** Identifies the request. */
  request: number;
  code: string;
  count: number;
  language: Language;
  /** Whether the value is shown. */
  show: boolean;
  /** Whether the time that the cell takes is said. */
  timed: boolean;
  expressions: Readonly<Record<string, string>>;
  stdin: boolean;
}

/** Messages from the protocol's thread to the one that runs cells. */
export type ServerMessage =
  | ExecuteCommand
  | { type: "interrupt" }
  | { type: "shutdown" }
  | { type: "define-module"; file: string; source: string }
  | { type: "input"; line: string };

/** Messages from the thread that runs cells to the protocol's. */
export type CellsMessage =
  | { type: "publish"; request: number; message: string; content: object }
  | {
      type: "done";
      request: number;
      failure: Failure | undefined;
      expressions: Record<string, object>;
      globals?: string[];
    }
  | { type: "ask"; request: number; prompt: string; password: boolean; sync: boolean };
