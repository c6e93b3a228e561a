import { prepareCell } from "../cells/magics.ts";
import type { Language } from "../cells/syntax.ts";
import { type Failure, plainFailure } from "../errors/failure.ts";
import type { CellsMessage, ExecuteCommand } from "./channel.ts";
import type { Messages, Request } from "./requests.ts";

interface QueueParts {
  messages: Messages;
  language: Language;
  /**
   * Says what is wrong with a cell before it runs. A cell that is right is known to the next ones from then on. What is
   * found while it runs already, `late` hears of.
   */
  check(code: string, late?: (failure: Failure) => void): Promise<Failure | undefined>;
  execute(command: ExecuteCommand): void;
  declared(): Iterable<string>;
  /** Describes a name as a mime bundle, for a cell such as `name?`. */
  describe(name: string): Promise<object>;
  /** Takes a cell that is not a program in this language, such as one that defines a module. */
  special(
    code: string,
    publish: (type: string, content: object) => void,
  ): Promise<Failure | "done" | undefined>;
  /** Text printed before the output of the first cell that is not silent. */
  notice?: string | undefined;
}

export interface HistoryEntry {
  line: number;
  source: string;
  /** Its result as text; absent where it had none. */
  output?: string;
}

interface Done {
  failure: Failure | undefined;
  expressions: Record<string, object>;
  payload?: object[];
}

const HELP =
  /^\s*(?:\?{1,2}\s*([\p{ID_Start}$_][\p{ID_Continue}$.]*)|([\p{ID_Start}$_][\p{ID_Continue}$.]*)\s*\?{1,2})\s*$/u;
const DRAIN_MS = 10;
const MAX_REQUESTS = 1000;
const MAX_HISTORY = 10_000;
const MAX_OUTPUT = 10_000;

export function openExecuteQueue({
  messages,
  language,
  check,
  declared,
  describe,
  execute,
  special,
  notice,
}: QueueParts) {
  const waiting: Request[] = [];
  const aborted = new WeakSet<Request>();
  const requests = new Map<number, Request>();
  const history: HistoryEntry[] = [];
  const finished = new Map<number, (done: Done) => void>();
  let stop: (() => void) | undefined;
  let busy = false;
  let count = 0;
  let number = 0;
  let followed = 0;
  let unsaid = notice;

  async function work(): Promise<void> {
    if (busy) return;
    busy = true;
    for (let request = waiting.shift(); request; request = waiting.shift()) {
      messages.publish("status", { execution_state: "busy" }, request);
      const content = aborted.has(request) ? { status: "aborted" } : await answer(request);
      void messages.reply("shell", "execute_reply", content, request);
      messages.publish("status", { execution_state: "idle" }, request);
    }
    busy = false;
  }

  async function answer(request: Request): Promise<object> {
    const { content } = request;
    const code = String(content.code ?? "");
    const silent = content.silent === true;
    const store = !silent && content.store_history !== false;
    if (store) {
      count += 1;
      history.push({ line: count, source: code });
      if (history.length > MAX_HISTORY) history.shift();
    }
    number += 1;
    requests.set(number, request);
    requests.delete(number - MAX_REQUESTS);
    if (!silent) messages.publish("execute_input", { code, execution_count: count }, request);
    if (!silent && unsaid !== undefined) {
      messages.publish("stream", { name: "stderr", text: `${unsaid}\n` }, request);
      unsaid = undefined;
    }
    const { failure, expressions, payload = [] } = await run(code, request, silent);
    if (!failure) return { status: "ok", execution_count: count, payload, user_expressions: expressions };
    if (!silent) messages.publish("error", failure, request);
    if (content.stop_on_error !== false) await abortWaiting();
    return { status: "error", execution_count: count, ...failure, payload: [], user_expressions: {} };
  }

  async function run(code: string, request: Request, silent: boolean): Promise<Done> {
    const { promise: stopped, resolve } = Promise.withResolvers<"stopped">();
    stop = () => resolve("stopped");
    const prepared = await Promise.race([
      prepare(code, request).catch((error: Error) => ({ failure: plainFailure(error.name, error.message) })),
      stopped,
    ]);
    stop = undefined;
    if (prepared === "stopped") return { failure: INTERRUPTED, expressions: {} };
    if ("failure" in prepared) return { ...prepared, expressions: {} };
    if (prepared.source === undefined)
      return { failure: undefined, expressions: {}, payload: prepared.payload ?? [] };
    const { user_expressions, allow_stdin } = request.content;
    const { failure, expressions } = await perform(number, prepared.source, {
      show: !silent,
      timed: prepared.timed ?? false,
      expressions: (user_expressions ?? {}) as Record<string, string>,
      stdin: allow_stdin !== false,
    });
    const shown =
      failure && prepared.written ? { ...failure, traceback: failure.traceback.slice(0, 1) } : failure;
    return { failure: shown, expressions };
  }

  function perform(request: number, code: string, options: Partial<ExecuteCommand>): Promise<Done> {
    const common = { show: false, timed: false, expressions: {}, stdin: false };
    execute({ type: "execute", request, code, count, language, ...common, ...options });
    return new Promise(settle => finished.set(request, settle));
  }

  async function prepare(
    code: string,
    request: Request,
  ): Promise<
    { failure: Failure } | { source?: string; timed?: boolean; written?: boolean; payload?: object[] }
  > {
    const done = await special(code, (type, content) => messages.publish(type, content, request));
    if (done === "done") return {};
    if (done) return { failure: done };
    const [, before, after] = HELP.exec(code) ?? [];
    const wanted = before ?? after;
    if (wanted) return { payload: [{ source: "page", start: 0, data: await describe(wanted) }] };
    const prepared = await prepareCell(code, language, [...declared()], count);
    if ("failure" in prepared) return prepared;
    if ("type" in prepared) {
      messages.publish(prepared.type, prepared.content, request);
      return {};
    }
    const failure = await check(prepared.source, ({ traceback }) => {
      const text = `${LATE}\n${traceback.join("\n")}\n`;
      messages.publish("stream", { name: "stderr", text }, request);
    });
    return failure ? { failure } : prepared;
  }

  function keepOutput(content: { execution_count?: number; data?: Record<string, unknown> }): void {
    const entry = history.findLast(({ line }) => line === content.execution_count);
    if (entry) entry.output = String(content.data?.["text/plain"] ?? "").slice(0, MAX_OUTPUT);
  }

  /** Waits a moment for requests that the front end sent before it knew of the error. */
  async function abortWaiting(): Promise<void> {
    await new Promise(done => setTimeout(done, DRAIN_MS));
    for (const request of waiting) aborted.add(request);
  }

  return {
    history: history as readonly HistoryEntry[],
    /** The request of a number, while it may still be spoken of. */
    requestOf: (at: number) => requests.get(at),
    /** Takes in a request that runs no cell; what is published for its number belongs to it until its end. */
    follow(request: Request) {
      followed -= 1;
      requests.set(followed, request);
      return followed;
    },
    /** Ends the following of a request, and returns it. */
    unfollow(at: number) {
      const request = requests.get(at);
      requests.delete(at);
      return request;
    },
    running: () => (busy ? requests.get(number) : undefined),
    /** Ends the wait before a cell's run. */
    interrupt: () => stop?.(),
    /** Runs a cell of the kernel's own before all others; its output is nobody's. */
    async runFirst(code: string) {
      busy = true;
      await check(code);
      await perform(0, code, { count: 0 });
      busy = false;
      void work();
    },
    /** Ends the cell that runs with a failure; where none runs, the failure is told below the last one. */
    fail(failure: Failure) {
      if (finished.size === 0)
        messages.publish("stream", { name: "stderr", text: `${failure.evalue}\n` }, requests.get(number));
      for (const settle of finished.values()) settle({ failure, expressions: {} });
      finished.clear();
    },
    add(request: Request) {
      waiting.push(request);
      void work();
    },
    /** Takes what the thread that runs cells says of them. */
    take(message: Extract<CellsMessage, { type: "publish" | "done" }>, sent?: () => void) {
      if (message.type === "publish") {
        const request = requests.get(message.request);
        if (message.message === "execute_result") keepOutput(message.content);
        if (request?.content.silent === true) sent?.();
        else messages.publish(message.message, message.content, request, sent, message.metadata);
        return;
      }
      const { request, failure, expressions } = message;
      finished.get(request)?.({ failure, expressions });
      finished.delete(request);
    },
  };
}

const LATE = "The cell had already run when the type check found this:";

const INTERRUPTED = plainFailure("Interrupted", "The cell was interrupted.");
