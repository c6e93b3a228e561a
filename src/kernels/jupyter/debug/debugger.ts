import { COMMANDS, STATIC } from "./commands.ts";
import { type DebugParts, openDebugSession } from "./session.ts";

/** Debugs the thread that runs cells, from another one. */
export type Debugger = ReturnType<typeof openDebugger>;

/** Opens a debugger, which connects to the other thread. `publish` gets its events. */
export function openDebugger(parts: Omit<DebugParts, "publish">, publish: (event: object) => void) {
  let seq = 0;
  const session = openDebugSession({
    ...parts,
    publish(event, body) {
      seq += 1;
      publish({ type: "event", seq, event, body });
    },
  });

  async function bodyFor(command: string, given: Record<string, unknown>): Promise<object> {
    const answer = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined;
    if (!answer) throw new Error(`Unknown debugger command ${command}.`);
    if (!STATIC.has(command) && !session.isStarted)
      throw new Error(`The debugger is not started. Send initialize before ${command}.`);
    return answer(session, given);
  }

  return {
    /** Answers the content of a `debug_request`, which is a request of the Debug Adapter Protocol. */
    async answer(content: Record<string, unknown>): Promise<object> {
      const command = String(content.command ?? "");
      const outcome = await bodyFor(command, Object(content.arguments)).then(
        body => ({ success: true, body }),
        (error: unknown) => ({ success: false, message: (error as Error).message, body: {} }),
      );
      seq += 1;
      return { type: "response", seq, request_seq: Number(content.seq) || 0, command, ...outcome };
    },
    /** Hears that a cell is about to run. */
    cellBegins: session.pauses.endStep,
    /** Does some work while no breakpoint stops the program. A program that is stopped is terminated. */
    without: <T>(work: () => Promise<T>) => (session.isStarted ? session.pauses.without(work) : work()),
    /** Ends debugging; the program runs on. */
    close: session.inspector.close,
  };
}
