import { COMMANDS, STATIC } from "./commands.ts";
import { type DebugParts, type DebugSession, openDebugSession } from "./session.ts";

/** A request of the Debug Adapter Protocol, inside of a `debug_request`. */
interface DebugRequest {
  seq: number;
  command: string;
  arguments: Record<string, unknown>;
}

interface DebugResponse {
  type: "response";
  seq: number;
  request_seq: number;
  success: boolean;
  command: string;
  /** Reason why there is no answer. */
  message?: string;
  body: object;
}

/** Event that a debugger sends unasked. */
interface DebugEvent {
  type: "event";
  seq: number;
  event: string;
  body: object;
}

function readDebugRequest(content: Record<string, unknown>): DebugRequest {
  const given = content.arguments;
  return {
    seq: Number(content.seq) || 0,
    command: String(content.command ?? ""),
    arguments: typeof given === "object" && given !== null ? (given as Record<string, unknown>) : {},
  };
}

/** Capabilities of this debugger, in the terms of the protocol. */
export const CAPABILITIES = {
  supportsConfigurationDoneRequest: true,
  supportsConditionalBreakpoints: true,
  supportsHitConditionalBreakpoints: true,
  supportsLogPoints: true,
  supportsEvaluateForHovers: true,
  supportsExceptionInfoRequest: true,
  supportsModulesRequest: true,
  supportsSetVariable: true,
  supportsDelayedStackTraceLoading: true,
  exceptionBreakpointFilters: [
    { filter: "uncaught", label: "Uncaught exceptions", default: false },
    { filter: "all", label: "All exceptions", default: false },
  ],
} as const;

/** Debugs the thread that runs cells, from another one. */
export interface Debugger {
  /** Answers the content of a `debug_request`. */
  answer(content: Record<string, unknown>): Promise<DebugResponse>;
  /** Hears that a cell is about to run. */
  cellBegins(): void;
  /** Does some work while no breakpoint stops the program. A program that is stopped is terminated. */
  without<T>(work: () => Promise<T>): Promise<T>;
  /** Ends debugging; the program runs on. */
  close(): void;
}

/** Opens a debugger, which connects to the other thread at its first question. `publish` gets its events. */
export function openDebugger(
  parts: Omit<DebugParts, "publish">,
  publish: (event: DebugEvent) => void,
): Debugger {
  let session: DebugSession | undefined;
  let seq = 0;

  const opened = () => {
    session ??= openDebugSession({
      ...parts,
      publish: (event, body) => {
        seq += 1;
        publish({ type: "event", seq, event, body });
      },
    });
    return session;
  };

  async function bodyFor(command: string, given: Record<string, unknown>): Promise<object> {
    const answer = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined;
    if (!answer) throw new Error(`Unknown debugger command ${command}.`);
    if (!STATIC.has(command) && !session?.isStarted)
      throw new Error(`The debugger is not started. Send initialize before ${command}.`);
    return answer(opened(), given);
  }

  return {
    async answer(content) {
      const request = readDebugRequest(content);
      const outcome = await bodyFor(request.command, request.arguments).then(
        body => ({ success: true, body }),
        (error: unknown) => ({ success: false, message: (error as Error).message, body: {} }),
      );
      seq += 1;
      return { type: "response", seq, request_seq: request.seq, command: request.command, ...outcome };
    },
    cellBegins: () => session?.pauses.endStep(),
    without: work => (session?.isStarted ? session.pauses.without(work) : work()),
    close() {
      session?.inspector.close();
      session = undefined;
    },
  };
}
