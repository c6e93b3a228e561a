import { afterAll, expect } from "vitest";
import { Dealer } from "zeromq";
import { openWire } from "../../../src/cli/ipynb/kernel.ts";
import type { Session } from "./session.ts";

/** What a debugger answers. */
export interface DebugReply {
  success: boolean;
  message?: string;
  // biome-ignore lint/suspicious/noExplicitAny: the bodies of responses are as the tests expect them
  body: any;
}

/** A debugger's client, as a front end has it: requests on the control channel, events among what is published. */
export interface DebugClient {
  send(command: string, given?: object): Promise<DebugReply>;
  /** The body of the answer to a request that must succeed. */
  ask(command: string, given?: object): Promise<DebugReply["body"]>;
  /** Waits until the program has stopped once more. Returns the event's body. */
  stopped(): Promise<Record<string, unknown>>;
  /** The innermost place of a stack, as `name:line`, the others after it. */
  stack(): Promise<string[]>;
  /** The variables of the innermost frame by scope, as `name: value`. */
  variables(): Promise<Record<string, Record<string, string>>>;
  /** Sets breakpoints at lines of a cell. Returns the lines at which they are. */
  breakAt(code: string, ...breakpoints: (number | object)[]): Promise<(number | false)[]>;
}

/** Connects to a kernel's debugger. */
export function connectDebugger(session: Session): DebugClient {
  const wire = openWire(session.connection.key);
  const control = new Dealer({ linger: 0 });
  control.connect(`tcp://${session.connection.ip}:${session.connection.control_port}`);
  const replies = new Map<string, (reply: DebugReply) => void>();
  let seq = 0;
  let seen = 0;
  void (async () => {
    for await (const frames of control) {
      const message = wire.decode(frames);
      replies.get(message?.parent ?? "")?.(message?.content as unknown as DebugReply);
    }
  })().catch(() => undefined);
  afterAll(() => control.close());

  async function send(command: string, given: object = {}): Promise<DebugReply> {
    seq += 1;
    const { id, frames } = wire.encode("debug_request", { type: "request", seq, command, arguments: given });
    const reply = new Promise<DebugReply>(resolve => replies.set(id, resolve));
    await control.send(frames);
    const answered = await reply;
    expect(answered).toMatchObject({ type: "response", command, request_seq: expect.any(Number) });
    return answered;
  }

  async function ask(command: string, given?: object) {
    const { success, message, body } = await send(command, given);
    if (!success) throw new Error(`${command}: ${message}`);
    return body;
  }

  return {
    send,
    ask,
    async stopped() {
      let event: Record<string, unknown> | undefined;
      await expect
        .poll(
          () => {
            const at = session.published.findIndex(
              ({ type, content }, index) =>
                index >= seen && type === "debug_event" && content?.event === "stopped",
            );
            if (at < 0) return false;
            event = session.published[at]!.content!.body as Record<string, unknown>;
            seen = at + 1;
            return true;
          },
          { timeout: 10_000, interval: 10 },
        )
        .toBe(true);
      return event!;
    },
    async stack() {
      const { stackFrames } = await ask("stackTrace", { threadId: 1 });
      return stackFrames.map(({ name, line }: { name: string; line: number }) => `${name}:${line}`);
    },
    async variables() {
      const { stackFrames } = await ask("stackTrace", { threadId: 1 });
      const { scopes } = await ask("scopes", { frameId: stackFrames[0].id });
      const found: Record<string, Record<string, string>> = {};
      for (const { name, variablesReference } of scopes) {
        const { variables } = await ask("variables", { variablesReference });
        found[name] = Object.fromEntries(
          variables.map((each: { name: string; value: string }) => [each.name, each.value]),
        );
      }
      return found;
    },
    async breakAt(code, ...breakpoints) {
      const { sourcePath } = await ask("dumpCell", { code });
      const wanted = breakpoints.map(each => (typeof each === "number" ? { line: each } : each));
      const body = await ask("setBreakpoints", { source: { path: sourcePath }, breakpoints: wanted });
      return body.breakpoints.map(
        ({ verified, line }: { verified: boolean; line: number }) => verified && line,
      );
    },
  };
}
