import { parentPort, workerData } from "node:worker_threads";
import { completenessOf } from "../cells/completeness.ts";
import { isProgram } from "../session/program-cell.ts";
import { type CellsMessage, type ServerData, type ServerMessage, SHARED } from "./channel.ts";
import { openExecuteQueue } from "./execute-queue.ts";
import { interruptCells } from "./interrupter.ts";
import { kernelInfo } from "./kernel-info.ts";
import { exitWithParent } from "./lifetime.ts";
import type { Channel, Request } from "./messages.ts";
import { pathsAfter } from "./paths.ts";
import { openRequests } from "./requests.ts";
import { openSockets } from "./sockets.ts";

const {
  connection,
  folder,
  language,
  preload,
  waitForTypes,
  shared: memory,
  answer,
} = workerData as ServerData;
const shared = new Int32Array(memory);
const answerBytes = new Uint8Array(answer);
const post = (message: ServerMessage) => parentPort?.postMessage(message);
const encoder = new TextEncoder();
const KILL_DELAY_MS = 1000;

exitWithParent(() => process.kill(process.pid, "SIGKILL"));

const early: [Channel, Request][] = [];
let receive = (channel: Channel, request: Request): void => {
  if (request.type === "kernel_info_request") answerWith(channel, request, kernelInfo(language));
  else early.push([channel, request]);
};
const sockets = await openSockets(connection, (channel, request) => receive(channel, request));
sockets.publish("status", { execution_state: "starting" }, undefined);

// The kernel answers while the compiler loads.
const [{ openNativeCells }, { openDebugger }, { oxc }, { completionsAt }, { describeAt }] = await Promise.all(
  [
    import("./native-cells.ts"),
    import("./debug/debugger.ts"),
    import("./syntax.ts"),
    import("../typing/completion.ts"),
    import("../typing/description.ts"),
  ],
);
const typed = openNativeCells({
  folder,
  language,
  defineModule: (file, source) => post({ type: "define-module", file, source }),
});
const declared = () => Array.from(typed.declared(), ({ name }) => name);
const queue = openExecuteQueue({
  messages: sockets,
  language,
  check: waitForTypes ? code => typed.check(code) : typed.check,
  declared,
  describe: name => requests.describe(name),
  special: typed.special,
  execute(command) {
    debug.cellBegins();
    post(command);
  },
});
let preloaded: ReadonlySet<string> = new Set();
let debugging: Request | undefined;
const debug = openDebugger(
  {
    language,
    declared,
    hidden: () => preloaded,
    declare: name => typed.check(`let ${name}${language === "typescript" ? ": any" : ""};`),
  },
  event => sockets.publish("debug_event", event, debugging),
);
const requests = openRequests({
  info: kernelInfo(language),
  history: queue.history,
  complete: question => completionsAt(question, typed, path => pathsAfter(folder, path)),
  describe: question => describeAt(question, typed),
  completeness: code => (isProgram(code) ? { status: "unknown" } : completenessOf(oxc, code, language)),
  others: {
    debug_request: content => debug.answer(content),
    connect_request: () => ({ status: "ok", ...portsOf(connection) }),
  },
});
if (preload) {
  void queue.runFirst(typed.preloading()).then(() => {
    preloaded = new Set(declared());
  });
}
let asking: { sync: boolean } | undefined;

function handle(channel: Channel, request: Request): void {
  switch (request.type) {
    case "execute_request":
      queue.add(request);
      return;
    case "input_reply":
      takeAnswer(String(request.content.value ?? ""));
      return;
    case "interrupt_request":
      void interrupt(channel, request);
      return;
    case "shutdown_request":
      void shutdown(channel, request);
      return;
    default:
      void answerOther(channel, request);
      return;
  }
}

async function answerOther(channel: Channel, request: Request): Promise<void> {
  if (request.type === "debug_request") debugging = request;
  sockets.publish("status", { execution_state: "busy" }, request);
  const content = await requests.answer(request, (type, said) => sockets.publish(type, said, request));
  answerWith(channel, request, content, false);
}

function answerWith(channel: Channel, request: Request, content: object | undefined, whole = true): void {
  if (whole) sockets.publish("status", { execution_state: "busy" }, request);
  if (content) void sockets.reply(channel, request.type.replace(/_request$/, "_reply"), content, request);
  sockets.publish("status", { execution_state: "idle" }, request);
}

async function interrupt(channel: Channel, request: Request): Promise<void> {
  sockets.publish("status", { execution_state: "busy" }, request);
  queue.interrupt();
  if (asking?.sync) {
    Atomics.store(shared, SHARED.answered, 2);
    Atomics.notify(shared, SHARED.answered);
  }
  asking = undefined;
  const heard = await debug.without(() => interruptCells(shared, () => post({ type: "interrupt" })));
  if (!heard) {
    const text =
      "This cell does not stop: what it waits for is outside of JavaScript. Restart the kernel to end it.\n";
    sockets.publish("stream", { name: "stderr", text }, queue.running() ?? request);
  }
  void sockets.reply(channel, "interrupt_reply", { status: "ok" }, request);
  sockets.publish("status", { execution_state: "idle" }, request);
}

async function shutdown(channel: Channel, request: Request): Promise<void> {
  const content = { status: "ok", restart: request.content.restart === true };
  sockets.publish("status", { execution_state: "busy" }, request);
  sockets.publish("shutdown_reply", content, request);
  await sockets.reply(channel, "shutdown_reply", content, request);
  sockets.publish("status", { execution_state: "idle" }, request);
  typed.close();
  debug.close();
  post({ type: "shutdown" });
  setTimeout(() => process.kill(process.pid, "SIGKILL"), KILL_DELAY_MS);
}

function takeAnswer(value: string): void {
  if (!asking) return;
  const { sync } = asking;
  asking = undefined;
  if (!sync) {
    post({ type: "input", line: value });
    return;
  }
  const { written } = encoder.encodeInto(value, answerBytes);
  Atomics.store(shared, SHARED.answerLength, written);
  Atomics.store(shared, SHARED.answered, 1);
  Atomics.notify(shared, SHARED.answered);
}

function portsOf({ shell_port, iopub_port, stdin_port, control_port, hb_port }: typeof connection): object {
  return { shell_port, iopub_port, stdin_port, control_port, hb_port };
}

parentPort?.on("message", (message: CellsMessage) => {
  if (message.type !== "ask") {
    if (message.type === "done") typed.assign(message.globals ?? []);
    return queue.take(message, () => {
      Atomics.sub(shared, SHARED.queued, 1);
      Atomics.notify(shared, SHARED.queued);
    });
  }
  const { request, prompt, password, sync } = message;
  const parent = queue.requestOf(request);
  if (!parent) return;
  asking = { sync };
  void sockets.reply("stdin", "input_request", { prompt, password }, parent);
});

/** A thread that listens when its process ends takes that down with a crash. */
void Promise.resolve(Atomics.waitAsync(shared, SHARED.closing, 0).value).then(async () => {
  typed.close();
  debug.close();
  await sockets.close();
  Atomics.store(shared, SHARED.closed, 1);
  Atomics.notify(shared, SHARED.closed);
});

receive = handle;
for (const [channel, request] of early.splice(0)) handle(channel, request);
