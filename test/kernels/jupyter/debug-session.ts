import { afterEach, beforeAll } from "vitest";
import { connectDebugger, type DebugClient } from "./debug-client.ts";
import { openSession, type Session } from "./session.ts";

/** A cell that has run before debugging begins. */
export const EARLY = `interface Pair { left: number; right: number }
const early = ({ left, right }: Pair): number => {
  const sum = left + right;
  return sum;
};`;

/** A kernel with a debugger attached to it. */
export interface DebugSession {
  session: Session;
  client: DebugClient;
}

/** Starts a kernel for the tests of a file, and attaches a debugger; each test ends with the program running and no breakpoint. */
export function useDebugger(): DebugSession {
  const debug = {} as DebugSession;
  beforeAll(async () => {
    debug.session = await openSession();
    debug.client = connectDebugger(debug.session);
    await debug.session.run(EARLY);
    await debug.client.ask("initialize", {});
    await debug.client.ask("attach");
  });
  afterEach(async () => {
    const { client } = debug;
    const { stoppedThreads, breakpoints } = await client.ask("debugInfo");
    for (const { source } of breakpoints)
      await client.ask("setBreakpoints", { source: { path: source }, breakpoints: [] });
    if (stoppedThreads.length > 0) await client.ask("continue");
  });
  return debug;
}
