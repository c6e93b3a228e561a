import { languageOf, registerLanguages } from "../cells/languages.ts";
import { completenessOf, type Language } from "../cells/syntax.ts";
import type { Failure } from "../errors/failure.ts";
import { LIBRARY } from "../library-name.ts";
import { libraryLanguages } from "../own-library.ts";
import { completionsAt, describeAt } from "../typing/completion.ts";
import type { CellsProcess } from "./cells-process.ts";
import type { Connection, ProcessMessage } from "./channel.ts";
import { openExecuteQueue } from "./execute-queue.ts";
import { kernelInfo } from "./kernel-info.ts";
import { pathsAfter } from "./local-files.ts";
import { openNativeCells } from "./native-cells.ts";
import { type Channel, openRequests, type Request } from "./requests.ts";
import { openSockets } from "./sockets.ts";
import { oxc } from "./syntax.ts";

interface ServerOptions {
  connection: Connection;
  folder: string;
  language: Language;
  preload: boolean;
  waitForTypes: boolean;
}

const STUCK =
  "This cell is in a single step that JavaScript cannot stop. Interrupt again to stop it and lose all variables.\nSuch steps are a power of a large BigInt after an await, a synchronous read of a pipe, and calls of native modules. Compute such powers before the first await of a cell, and read asynchronously: one interrupt then ends the cell, and variables stay.\n";

export async function openServer(
  { connection, folder, language, preload, waitForTypes }: ServerOptions,
  cells: CellsProcess,
): Promise<void> {
  const { languages, fault } = await libraryLanguages();
  registerLanguages(languages);
  const sockets = await openSockets(connection, handle);
  sockets.publish("status", { execution_state: "starting" }, undefined);
  cells.take = take;
  cells.ended = ended;
  const openTypes = () => {
    const opened = openNativeCells(folder, language, (file, source) =>
      cells.send({ type: "define-module", file, source }),
    );
    // The compiler reads the types of Node while the kernel starts, and has the machine to itself.
    void opened.warm().then(() => cells.send({ type: "expect-library" }));
    return opened;
  };
  let typed = openTypes();
  const declared = () => Array.from(typed.declared(), ({ name }) => name);
  const queue = openExecuteQueue({
    messages: sockets,
    language,
    async check(code, late) {
      await declaring;
      return typed.check(code, waitForTypes ? undefined : late);
    },
    declared,
    describe: name => requests.describe(name),
    special: (code, publish) => typed.special(code, publish),
    execute: command => cells.send(command),
    notice: fault,
  });
  let asking: { sync: boolean } | undefined;
  let debugging: Request | undefined;
  const debugged: ((content: object) => void)[] = [];
  const interrupted: ((heard: boolean) => void)[] = [];
  let isStuck = false;
  const comms = new Map<string, { target_name: string }>();
  let declaring: Promise<unknown> | undefined;
  const requests = openRequests({
    info: kernelInfo(language),
    history: queue.history,
    complete: question => completionsAt(question, typed, path => pathsAfter(folder, path)),
    describe: question => describeAt(question, typed),
    completeness: code => (languageOf(code) ? { status: "unknown" } : completenessOf(oxc, code, language)),
    others: {
      debug_request: content =>
        new Promise(resolve => {
          const id = debugged.push(resolve) - 1;
          cells.send({ type: "debug", id, content });
        }),
      comm_info_request: ({ target_name }) => ({
        status: "ok",
        comms: Object.fromEntries(
          [...comms].filter(([, comm]) => target_name === undefined || comm.target_name === target_name),
        ),
      }),
      connect_request: () => {
        const { shell_port, iopub_port, stdin_port, control_port, hb_port } = connection;
        return { status: "ok", shell_port, iopub_port, stdin_port, control_port, hb_port };
      },
    },
  });

  async function preloadLibrary(): Promise<void> {
    if (preload) await queue.runFirst(typed.preloading());
  }

  function handle(channel: Channel, request: Request): void {
    switch (request.type) {
      case "execute_request":
        if (String(request.content.code).includes(LIBRARY)) cells.send({ type: "expect-library" });
        queue.add(request);
        return;
      case "input_reply":
        takeAnswer(String(request.content.value ?? ""));
        return;
      case "interrupt_request":
        void answer(channel, request, () => interrupt(request));
        return;
      case "shutdown_request":
        void shutdown(channel, request);
        return;
      case "comm_open":
      case "comm_msg":
      case "comm_close":
        sockets.publish("status", { execution_state: "busy" }, request);
        followComm(request.type, request.content);
        cells.send({
          type: "comm",
          request: queue.follow(request),
          message: request.type,
          content: request.content,
        });
        return;
      default:
        if (request.type === "debug_request") debugging = request;
        void answer(channel, request, () => requests.answer(request));
        return;
    }
  }

  function followComm(type: string, { comm_id, target_name }: Record<string, unknown>): void {
    if (type === "comm_open") comms.set(String(comm_id), { target_name: String(target_name) });
    if (type === "comm_close") comms.delete(String(comm_id));
  }

  async function answer(
    channel: Channel,
    request: Request,
    contentOf: () => object | undefined | Promise<object | undefined>,
  ): Promise<void> {
    sockets.publish("status", { execution_state: "busy" }, request);
    const content = await contentOf();
    if (content) void sockets.reply(channel, request.type.replace(/_request$/, "_reply"), content, request);
    sockets.publish("status", { execution_state: "idle" }, request);
  }

  async function interrupt(request: Request): Promise<object> {
    queue.interrupt();
    if (asking?.sync) cells.send({ type: "answer", line: undefined });
    asking = undefined;
    if (isStuck) cells.end();
    else {
      const heard = await new Promise<boolean>(resolve => {
        interrupted.push(resolve);
        cells.send({ type: "interrupt" });
      });
      if (!heard && !isStuck) {
        isStuck = true;
        sockets.publish("stream", { name: "stderr", text: STUCK }, queue.running() ?? request);
      }
    }
    return { status: "ok" };
  }

  async function shutdown(channel: Channel, request: Request): Promise<void> {
    const content = { status: "ok", restart: request.content.restart === true };
    sockets.publish("status", { execution_state: "busy" }, request);
    sockets.publish("shutdown_reply", content, request);
    await sockets.reply(channel, "shutdown_reply", content, request);
    sockets.publish("status", { execution_state: "idle" }, request);
    typed.close();
    await cells.close();
    await sockets.close();
    process.exit(0);
  }

  function takeAnswer(line: string): void {
    if (!asking) return;
    cells.send({ type: asking.sync ? "answer" : "input", line });
    asking = undefined;
  }

  function take(message: ProcessMessage): void {
    switch (message.type) {
      case "ask": {
        const { request, prompt, sync } = message;
        const parent = queue.requestOf(request);
        if (!parent) return;
        asking = { sync };
        // A number, as Jupyter's own schema of this message demands.
        void sockets.reply("stdin", "input_request", { prompt, password: 0 }, parent);
        return;
      }
      case "done":
        isStuck = false;
        typed.assign(message.globals ?? []);
        queue.take(message);
        return;
      case "comm-done":
        sockets.publish("status", { execution_state: "idle" }, queue.unfollow(message.request));
        return;
      case "publish":
        followComm(message.message, message.content as Record<string, unknown>);
        queue.take(message, () => cells.send({ type: "sent" }));
        return;
      case "interrupted":
        interrupted.shift()?.(message.heard);
        return;
      case "debugged":
        debugged[message.id]?.(message.content);
        delete debugged[message.id];
        return;
      case "debug-event":
        sockets.publish("debug_event", message.content, debugging);
        return;
      case "declare":
        declaring = typed.check(`let ${message.name}${language === "typescript" ? ": any" : ""};`);
        return;
    }
  }

  /** Goes on with new types in a new process. */
  function ended(failure: Failure): void {
    typed.close();
    typed = openTypes();
    asking = undefined;
    isStuck = false;
    for (const resolve of interrupted.splice(0)) resolve(true);
    for (const resolve of debugged.splice(0))
      resolve?.({ type: "response", success: false, message: failure.evalue, body: {} });
    comms.clear();
    queue.fail(failure);
    void preloadLibrary();
  }

  void preloadLibrary();
}
