import {
  type Channel,
  type Completions,
  infoOf,
  type Messages,
  openExecuteQueue,
  openRequests,
  type Question,
  type Request,
  registerLanguages,
} from "../kernels/cells/index.ts";
import { isProgram, languages } from "../openqasm-cells/index.ts";
import { VERSION } from "../version.ts";
import { refusedCommand } from "./kernel/shell-commands.ts";
import { type KernelOptions, openKernel, type Types } from "./workers.ts";

registerLanguages(languages);

export type JupyterKernel = ReturnType<typeof openJupyterKernel>;

interface JupyterKernelOptions extends Omit<KernelOptions, "emit" | "onMessage"> {
  types: Types;
  send(message: JupyterMessage): void;
}

export function openJupyterKernel({ types, send, ...options }: JupyterKernelOptions) {
  const messages = openMessages(send);
  const cells = openCellTypes(types);
  let names: readonly string[] = [];
  const kernel = openKernel({
    ...options,
    emit: source => types.ask("emit", source),
    onMessage: ({ type, parent, content = {} }) =>
      queue.take({ type: "publish", request: Number(parent), message: type, content }, () => undefined),
  });
  const queue = openExecuteQueue({
    messages,
    language: "typescript",
    check: cells.check,
    declared: () => names,
    describe: name => requests.describe(name),
    special: async code => refusedCommand(code),
    async execute({ request, code, count, timed }) {
      const { failure, names: known } = await kernel.execute(request, code, count, timed);
      names = known;
      queue.take({ type: "done", request, failure, expressions: {} }, () => undefined);
    },
  });
  const requests = openRequests({ info: KERNEL_INFO, history: queue.history, ...cells, others: NO_COMMS });
  types.load();

  return {
    /** Takes a message in. Resolves when it is answered; for a cell, when it is in the queue. */
    async handle(message: JupyterMessage): Promise<void> {
      const request = requestOf(message);
      if (request.type === "execute_request") return queue.add(request);
      messages.publish("status", { execution_state: "busy" }, request);
      if (request.type === "comm_open")
        messages.publish("comm_close", { comm_id: request.content.comm_id, data: {} }, request);
      const content = await requests.answer(request);
      if (content)
        await messages.reply("shell", request.type.replace(/_request$/, "_reply"), content, request);
      messages.publish("status", { execution_state: "idle" }, request);
    },
    /** Interrupts the cell that runs; those that wait are aborted. */
    async interrupt() {
      queue.interrupt();
      if (await kernel.interrupt()) cells.reset();
    },
    close: kernel.close,
  };
}

/** In a page, cells have no comms. */
const NO_COMMS = {
  comm_info_request: () => ({ status: "ok", comms: {} }),
  comm_open: () => undefined,
  comm_msg: () => undefined,
  comm_close: () => undefined,
};

/** Opens the types of the cells of a kernel. If they can't be loaded, nothing is known and no mistakes are reported. */
function openCellTypes(types: Pick<Types, "ask">) {
  let sources: readonly string[] = [];
  const above = () => sources.map((source, index) => ({ id: String(index), source }));
  return {
    /** Says what is wrong with a cell. One that is right is known to the next ones from then on. */
    async check(source: string) {
      const failure = await types.ask("check", { above: above(), source }).catch(() => undefined);
      if (!failure) sources = [...sources.filter(each => each !== source), source];
      return failure;
    },
    complete: ({ code, offset }: Question): Promise<Completions> =>
      types
        .ask("complete", { above: above(), source: code, offset })
        .catch(() => ({ start: offset, items: [] })),
    describe: ({ code, offset }: Question) =>
      types.ask("describe", { above: above(), source: code, offset }).catch(() => undefined),
    completeness: async (source: string): Promise<object> =>
      isProgram(source)
        ? { status: "unknown" }
        : types.ask("completeness", source).catch(() => ({ status: "unknown" })),
    reset() {
      sources = [];
    },
  };
}

const KERNEL_INFO = infoOf({
  language: "typescript",
  languageVersion: "6.0",
  version: VERSION,
  banner: `Ketbook ${VERSION} in a browser`,
});

/** A message of the Jupyter protocol, as it is after it has been read and before it is written. */
export interface JupyterMessage {
  channel: Channel | "iopub";
  header: Record<string, unknown>;
  parent_header: Record<string, unknown>;
  metadata: Record<string, unknown>;
  content: Record<string, unknown>;
  buffers: unknown[];
}

const PROTOCOL_VERSION = "5.4";

export const requestOf = ({ header, content }: JupyterMessage): Request => ({
  type: String(header.msg_type),
  content,
  identities: [],
  header,
});

/** Writes a kernel's messages, each in the session of the request that it follows from, and sends them. */
function openMessages(send: (message: JupyterMessage) => void): Messages {
  function post(
    channel: JupyterMessage["channel"],
    type: string,
    content: object,
    { header }: Request,
  ): void {
    send({
      channel,
      header: {
        msg_id: crypto.randomUUID(),
        session: header.session,
        username: "kernel",
        date: new Date().toISOString(),
        msg_type: type,
        version: PROTOCOL_VERSION,
      },
      parent_header: header,
      metadata: {},
      content: content as JupyterMessage["content"],
      buffers: [],
    });
  }
  return {
    reply: async (channel, type, content, parent) => post(channel, type, content, parent),
    publish(type, content, parent, sent) {
      if (parent) post("iopub", type, content, parent);
      sent?.();
    },
  };
}
