import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { afterAll } from "vitest";
import { connectKernel, type Reply } from "../../../src/cli/ipynb/kernel.ts";
import { newConnection } from "../../../src/cli/ipynb/kernel-process.ts";
import type { ErrorOutput, Message, Output } from "../../../src/ipynb/format.ts";
import { collectOutputs } from "../../../src/ipynb/outputs.ts";
import type { Connection } from "../../../src/kernels/jupyter/channel.ts";
import { launchCommand } from "../../../src/kernels/jupyter/command.ts";
import { newFolder } from "../../folder.ts";
import { entry } from "../../service/process.ts";

const KERNEL = fileURLToPath(entry("kernels/jupyter/main.ts", "kernel.js"));

/** What came of a cell. */
export interface Ran {
  reply: Reply;
  outputs: Output[];
  /** Every message that was published for it, in order. */
  messages: Message[];
}

/** A kernel that is spoken to as a front end speaks to it. */
export interface Session {
  pid: number;
  connection: Connection;
  /** Everything that was published besides states, in order. */
  published: Message[];
  folder: string;
  info: Reply;
  run(code: string, onOutput?: (message: Message) => void): Promise<Ran>;
  ask(type: string, content: object): Promise<Reply>;
  interrupt(): void;
  /** Asks the kernel to end, and answers how it did. */
  shutdown(): Promise<unknown>;
}

/** Starts Ketbook's kernel in a folder of its own; it ends with the tests of the file at the latest. */
export async function openSession(
  options: {
    folder?: string;
    preload?: boolean;
    javascript?: boolean;
    node?: string;
    /** The file that starts the kernel; default: that of the project. */
    entry?: string;
    /** Variables of the environment beside this process's own. */
    env?: Record<string, string>;
    /** Default: true, so that tests do not depend on how fast the machine is. */
    waitForTypes?: boolean;
  } = {},
): Promise<Session> {
  const folder = options.folder ?? newFolder();
  const connectionFile = join(newFolder(), "connection.json");
  const connection = await newConnection();
  writeFileSync(connectionFile, JSON.stringify(connection));
  const [own = "", , ...args] = launchCommand({
    waitForTypes: true,
    ...options,
    connectionFile,
    exitWithParent: true,
  });
  const kernel = spawn(options.node ?? own, [options.entry ?? KERNEL, ...args], {
    cwd: folder,
    detached: true,
    // A process that dies says much about it.
    stdio: ["pipe", "ignore", options.env ? "ignore" : "inherit"],
    env: { ...process.env, ...options.env },
  });
  const ended = once(kernel, "exit");
  const outputs = collectOutputs(50e6);
  const published: Message[] = [];
  const heard = new Map<string, { messages: Message[]; hear?: ((message: Message) => void) | undefined }>();
  const zeromq = createRequire(import.meta.url)("zeromq");
  const client = connectKernel(zeromq, connection, message => {
    const cell = heard.get(message.parent ?? "");
    published.push(message);
    cell?.messages.push(message);
    outputs.take(message);
    cell?.hear?.(message);
  });
  afterAll(async () => {
    client.close();
    if (kernel.exitCode === null && kernel.signalCode === null) process.kill(-kernel.pid!, "SIGKILL");
    await ended;
  });
  const info = await client.ready();
  return {
    pid: kernel.pid!,
    connection,
    published,
    folder,
    info,
    async run(code, hear) {
      const { id, done } = client.execute(code);
      const messages: Message[] = [];
      heard.set(id, { messages, hear });
      const cell = outputs.open(id);
      const reply = await done;
      return { reply, outputs: cell.outputs, messages };
    },
    ask: client.ask,
    interrupt: client.interrupt,
    async shutdown() {
      client.shutdown();
      return (await ended)[0];
    },
  };
}

/** The text of the value that a cell shows as its result. */
export function textOf({ outputs }: Ran): unknown {
  const result = outputs.find(output => output.output_type === "execute_result");
  return result?.output_type === "execute_result" ? result.data["text/plain"] : undefined;
}

/** The markup of the value that a cell shows as its result. */
export function markupOf({ outputs }: Ran): string {
  const result = outputs.find(output => output.output_type === "execute_result");
  return result?.output_type === "execute_result" ? String(result.data["text/html"]) : "";
}

/** The error that a cell ended with, its traceback as one text without colours. */
export function errorOf({ outputs }: Ran): { ename: string; evalue: string; traceback: string } {
  const error = outputs.find((output): output is ErrorOutput => output.output_type === "error");
  if (!error) throw new Error(`The cell did not fail but put out ${JSON.stringify(outputs)}`);
  const traceback = stripVTControlCharacters(error.traceback.join("\n"));
  return { ename: error.ename, evalue: error.evalue, traceback };
}
