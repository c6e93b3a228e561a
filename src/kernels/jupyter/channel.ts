import type { Language } from "../cells/syntax.ts";
import type { Failure } from "../errors/failure.ts";

/** Places in the memory that the threads of the cells' process share. */
export const SHARED = {
  heard: 0,
  stopping: 1,
  queued: 2,
  answered: 3,
  answerLength: 4,
  watched: 5,
  size: 6,
} as const;

/** The descriptor of the stream between the cells' process and the protocol's. */
export const CELLS_FD = 3;

/** The longest answer to a synchronous question such as `prompt()`, in bytes. */
export const MAX_ANSWER = 65_536;

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

export interface ExecuteCommand {
  type: "execute";
  request: number;
  code: string;
  count: number;
  language: Language;
  show: boolean;
  timed: boolean;
  expressions: Readonly<Record<string, string>>;
  stdin: boolean;
}

/** Messages from the protocol's process to the thread that runs cells. */
export type CellsCommand =
  | ExecuteCommand
  /** A message of a front end for a comm. */
  | { type: "comm"; request: number; message: string; content: Record<string, unknown> }
  | { type: "interrupt" }
  | { type: "shutdown" }
  /** The library will be imported, or there is nothing else to do: it is loaded, for which other cells would wait. */
  | { type: "expect-library" }
  | { type: "define-module"; file: string; source: string }
  | { type: "input"; line: string };

/** Messages from the protocol's process to the cells' process; its relay handles those that are not commands. */
export type ServerMessage =
  | CellsCommand
  /** Answers a synchronous question; undefined when it has been interrupted. */
  | { type: "answer"; line: string | undefined }
  | { type: "sent" }
  | {
      type: "debug";
      id: number;
      content: Record<string, unknown>;
    };

/** Messages from the thread that runs cells. */
export type CellsMessage =
  | { type: "publish"; request: number; message: string; content: object; metadata?: object | undefined }
  /** A message for a comm has been dealt with. */
  | { type: "comm-done"; request: number }
  | {
      type: "done";
      request: number;
      failure: Failure | undefined;
      expressions: Record<string, object>;
      globals?: string[];
    }
  | { type: "ask"; request: number; prompt: string; sync: boolean }
  /** A child process is waited for synchronously, beside the given ones; undefined when it has ended. */
  | { type: "waits"; beside?: readonly number[] | undefined };

export type ProcessMessage =
  | CellsMessage
  /** An interrupt has been heard, or can't be. */
  | { type: "interrupted"; heard: boolean }
  | { type: "debugged"; id: number; content: object }
  | { type: "debug-event"; content: object }
  /** A debugger has made a variable. */
  | { type: "declare"; name: string };
