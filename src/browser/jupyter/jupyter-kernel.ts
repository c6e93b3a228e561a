import { openExecuteQueue } from "../../kernels/jupyter/execute-queue.ts";
import { openRequests } from "../../kernels/jupyter/requests.ts";
import { refusedCommand } from "../kernel/shell-commands.ts";
import { type KernelOptions, openKernel } from "../workers/kernel.ts";
import type { Types } from "../workers/types.ts";
import { openCellTypes } from "./cell-types.ts";
import { KERNEL_INFO } from "./kernel-info.ts";
import { type JupyterMessage, openMessages, requestOf } from "./messages.ts";

/** The kernel of a page, for a front end that speaks the Jupyter protocol. */
export interface JupyterKernel {
  /** Takes a message in. Resolves when it is answered; for a cell, when it is in the queue. */
  handle(message: JupyterMessage): Promise<void>;
  /** Interrupts the cell that runs; those that wait are aborted. */
  interrupt(): Promise<void>;
  /** Ends the worker, with all variables. */
  close(): void;
}

/** Options of a kernel in a page. */
export interface JupyterKernelOptions extends Omit<KernelOptions, "emit" | "onMessage"> {
  types: Types;
  send(message: JupyterMessage): void;
}

/** Starts the worker that runs cells, and answers the requests of a front end. */
export function openJupyterKernel({ types, send, ...options }: JupyterKernelOptions): JupyterKernel {
  const messages = openMessages(send);
  const cells = openCellTypes(types);
  let names: readonly string[] = [];
  const kernel = openKernel({
    ...options,
    emit: source => types.ask("emit", { source }),
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
  const requests = openRequests({ info: KERNEL_INFO, history: queue.history, ...cells });
  types.load();

  return {
    async handle(message) {
      const request = requestOf(message);
      if (request.type === "execute_request") return queue.add(request);
      messages.publish("status", { execution_state: "busy" }, request);
      const content = await requests.answer(request, (type, said) => messages.publish(type, said, request));
      if (content)
        await messages.reply("shell", request.type.replace(/_request$/, "_reply"), content, request);
      messages.publish("status", { execution_state: "idle" }, request);
    },
    async interrupt() {
      queue.interrupt();
      if (await kernel.interrupt()) cells.reset();
    },
    close: kernel.close,
  };
}
