import { type ChildProcess, spawn } from "node:child_process";

interface Message {
  id?: number | string;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: unknown;
}

const HEADER_END = "\r\n\r\n";
const LENGTH = /Content-Length: (\d+)/i;

/**
 * Starts a language server. `answer` answers what the server asks for. When the process has ended, every request
 * resolves to undefined.
 */
export function startLanguageServer(
  command: readonly string[],
  folder: string,
  answer: (method: string, parameters: unknown) => unknown,
) {
  const [program = "", ...args] = command;
  const child: ChildProcess = spawn(program, args, {
    cwd: folder,
    stdio: ["pipe", "pipe", "ignore"],
    // A server written in Go collects its garbage sooner: it takes less memory, and some more processor time.
    env: { GOGC: "40", ...process.env },
  });
  const pending = new Map<number, (result: unknown) => void>();
  let ended = false;
  const ending = Promise.withResolvers<void>();
  let number = 0;
  let received: Buffer = Buffer.alloc(0);

  function end(): void {
    ended = true;
    ending.resolve();
    for (const resolve of pending.values()) resolve(undefined);
    pending.clear();
  }

  function send(message: object): void {
    if (ended) return;
    const body = JSON.stringify({ jsonrpc: "2.0", ...message });
    child.stdin?.write(`Content-Length: ${Buffer.byteLength(body)}${HEADER_END}${body}`);
  }

  function take({ id, method, params, result }: Message): void {
    if (method !== undefined) {
      if (id !== undefined) send({ id, result: answer(method, params) ?? null });
      return;
    }
    pending.get(Number(id))?.(result ?? undefined);
    pending.delete(Number(id));
  }

  child.on("error", end).on("exit", end);
  child.stdin?.on("error", end);
  child.stdout?.on("data", (data: Buffer) => {
    received = received.length > 0 ? Buffer.concat([received, data]) : data;
    for (;;) {
      const headerEnd = received.indexOf(HEADER_END);
      if (headerEnd < 0) return;
      const start = headerEnd + HEADER_END.length;
      const length = Number(LENGTH.exec(received.toString("latin1", 0, headerEnd))?.[1] ?? 0);
      if (received.length < start + length) return;
      const message = JSON.parse(received.toString("utf8", start, start + length)) as Message;
      received = received.subarray(start + length);
      take(message);
    }
  });

  return {
    request<T>(method: string, params: object): Promise<T | undefined> {
      if (ended) return Promise.resolve(undefined);
      number += 1;
      const id = number;
      const answered = new Promise<unknown>(resolve => pending.set(id, resolve));
      send({ id, method, params });
      return answered as Promise<T | undefined>;
    },
    ended: ending.promise,
    notify: (method: string, params: object) => send({ method, params }),
    close() {
      end();
      child.kill("SIGKILL");
    },
  };
}
