/** A request of the Debug Adapter Protocol, inside of a `debug_request`. */
export interface DebugRequest {
  seq: number;
  command: string;
  arguments: Record<string, unknown>;
}

export interface DebugResponse {
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
export interface DebugEvent {
  type: "event";
  seq: number;
  event: string;
  body: object;
}

export function readDebugRequest(content: Record<string, unknown>): DebugRequest {
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
