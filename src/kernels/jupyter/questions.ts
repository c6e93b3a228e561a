import { Interrupted } from "../errors/failure.ts";
import { defineGlobal } from "../session/cell-runtime.ts";
import { type CellsMessage, SHARED } from "./channel.ts";
import type { Executions } from "./execution.ts";

/**
 * Provides cells with `prompt`, `confirm` and `alert` as a page has them, and the lines of standard input, which the front
 * end asks the user for. Returns the receiver of the user's lines.
 */
export function openQuestions(
  executions: Executions,
  shared: Int32Array,
  answer: Uint8Array,
  post: (message: CellsMessage) => void,
): (line: string) => void {
  function ask(prompt: string, sync: boolean): void {
    if (!executions.canAsk()) throw new Error("This front end or command cannot ask for input.");
    post({ type: "ask", request: executions.request(), prompt, sync });
  }

  function askNow(prompt: string): string {
    Atomics.store(shared, SHARED.answered, 0);
    ask(prompt, true);
    Atomics.wait(shared, SHARED.answered, 0);
    if (Atomics.load(shared, SHARED.answered) === 2) throw new Interrupted();
    const length = Atomics.load(shared, SHARED.answerLength);
    return new TextDecoder().decode(answer.slice(0, length));
  }

  defineGlobal(
    "prompt",
    (message = "", initial = "") => askNow(`${message} `.trimStart()) || initial || null,
  );
  defineGlobal("confirm", (message = "") => /^\s*y/i.test(askNow(`${message} [y/N] `.trimStart())));
  defineGlobal("alert", (message = "") => void askNow(`${message} [Enter] `.trimStart()));

  let wanted = false;
  Object.defineProperty(process, "stdin", { value: standardInput(), configurable: true });
  function standardInput(): NodeJS.ReadStream {
    const { Readable } = process.getBuiltinModule("node:stream");
    const input = new Readable({
      read() {
        if (wanted) return;
        wanted = true;
        try {
          ask("", false);
        } catch (error) {
          wanted = false;
          this.destroy(error as Error);
        }
      },
    });
    Object.assign(input, { fd: 0, isTTY: false });
    return input as unknown as NodeJS.ReadStream;
  }
  return line => {
    wanted = false;
    (process.stdin as unknown as { push(chunk: string): boolean }).push(`${line}\n`);
  };
}
