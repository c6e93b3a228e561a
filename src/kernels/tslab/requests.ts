import { isProgram } from "../program-cell.ts";
import type { KernelHandler, TslabModules } from "./internals.ts";

interface CodeRequest {
  code: string;
  cursor_pos: number;
}

interface Matches {
  cursor_start: number;
  cursor_end: number;
}

/**
 * Mends how tslab answers questions about code: positions are characters, as the Jupyter protocol has it, where
 * tslab counts UTF-16 units; what tslab can't answer has an answer all the same; OpenQASM is not TypeScript.
 */
export function hookRequests({ jupyter, typescript }: TslabModules): boolean {
  const handler = jupyter?.JupyterHandlerImpl?.prototype;
  if (
    !handler?.handleComplete ||
    !handler.handleInspect ||
    !handler.handleKernel ||
    !handler.handleIsComplete
  )
    return false;
  const { handleComplete, handleInspect, handleKernel, handleIsComplete } = handler as KernelHandler;

  handler.handleComplete = function ({ code, cursor_pos }: CodeRequest) {
    const nothing = {
      status: "ok",
      matches: [],
      cursor_start: cursor_pos,
      cursor_end: cursor_pos,
      metadata: {},
    };
    if (isProgram(code)) return nothing;
    const asked = { code, cursor_pos: unitsOf(code, cursor_pos) };
    const answer = attempt(() => handleComplete.call(this as KernelHandler, asked)) as Matches | undefined;
    if (!answer) return nothing;
    const [cursor_start, cursor_end] = [answer.cursor_start, answer.cursor_end].map(at =>
      charactersOf(code, at),
    );
    return { ...answer, cursor_start, cursor_end };
  };
  handler.handleInspect = function ({ code, cursor_pos }: CodeRequest) {
    const asked = { code, cursor_pos: unitsOf(code, cursor_pos) };
    const answer = isProgram(code)
      ? undefined
      : attempt(() => handleInspect.call(this as KernelHandler, asked));
    return answer ?? { status: "ok", found: false, data: {}, metadata: {} };
  };
  handler.handleIsComplete = function (request) {
    if (isProgram(request.code)) return { status: "unknown" };
    return attempt(() => handleIsComplete.call(this as KernelHandler, request)) ?? { status: "unknown" };
  };
  handler.handleKernel = function () {
    const info = handleKernel.call(this as KernelHandler);
    const language = info.language_info as Record<string, unknown>;
    const version = language.name === "typescript" ? typescript?.version : process.versions.node;
    return { status: "ok", ...info, language_info: { ...language, ...(version && { version }) } };
  };
  return true;
}

function unitsOf(code: string, characters: number): number {
  let units = 0;
  for (let left = characters; left > 0 && units < code.length; left -= 1) {
    units += code.codePointAt(units)! > 0xffff ? 2 : 1;
  }
  return units;
}

function charactersOf(code: string, units: number): number {
  return Array.from(code.slice(0, units)).length;
}

function attempt<T>(answer: () => T): T | undefined {
  try {
    return answer();
  } catch {
    return undefined;
  }
}
