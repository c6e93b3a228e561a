import { createHmac, timingSafeEqual } from "node:crypto";
import { Session } from "node:inspector";
import { createRequire } from "node:module";
import { setTimeout as sleep } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { type ControlData, type ControlMessage, SHARED } from "./control.ts";
import { followParent } from "./lifetime.ts";

const { connection, manifest, shared } = workerData as ControlData;
const signals = new Int32Array(shared);
const DELIMITER = Buffer.from("<IDS|MSG>");
const LOOK_INTERVAL = 50;
const SIGNAL_AFTER = 100;
const TERMINATE_AFTER = 1000;
const GIVE_UP = 60_000;

interface Request {
  type: string;
  content: { restart?: boolean };
  /** The frames of a reply. */
  reply(type: string, content: object): (Buffer | string)[];
}

followParent(() => process.kill(process.pid, "SIGKILL"));

const tell = (message: ControlMessage) => parentPort?.postMessage(message);

async function serve(): Promise<void> {
  const zeromq: typeof import("zeromq") = createRequire(manifest)("zeromq");
  const socket = new zeromq.Router();
  await socket.bind(`${connection.transport}://${connection.ip}:${connection.control_port}`);
  tell({ type: "ready" });
  void Promise.resolve(Atomics.waitAsync(signals, SHARED.closing, 0).value).then(() => {
    socket.close();
    Atomics.store(signals, SHARED.closed, 1);
    Atomics.notify(signals, SHARED.closed);
  });
  let sending = Promise.resolve();
  const send = (frames: (Buffer | string)[]) => {
    sending = sending.then(() => socket.send(frames)).catch(() => undefined);
  };
  parentPort?.on("message", send);

  for await (const frames of socket) {
    const request = readRequest(frames, connection.key);
    if (request?.type === "interrupt_request") {
      await interrupt();
      send(request.reply("interrupt_reply", { status: "ok" }));
    } else if (request?.type === "shutdown_request") {
      send(request.reply("shutdown_reply", { status: "ok", restart: request.content.restart ?? false }));
      await sending;
      tell({ type: "shutdown" });
      setTimeout(() => process.kill(process.pid, "SIGKILL"), 1000);
    } else if (request) {
      tell({ type: "request", frames });
    }
  }
}

/**
 * Tells the kernel to interrupt its cell. A kernel that does not hear of it while a cell runs is computing: it is
 * broken off, first in the way that tslab has for a cell's own turn, then in the engine, for what runs after an
 * `await`. That breaks off whatever runs, so it is left for a kernel that is busy for long.
 */
async function interrupt(): Promise<void> {
  const heard = Atomics.load(signals, SHARED.heard);
  const started = performance.now();
  let busySince = started;
  let signalled = process.platform === "win32";
  tell({ type: "interrupt" });
  for (let now = started; now - started < GIVE_UP; now = performance.now()) {
    Atomics.wait(signals, SHARED.heard, heard, LOOK_INTERVAL);
    if (Atomics.load(signals, SHARED.heard) !== heard) return;
    const computes = Atomics.load(signals, SHARED.running) > 0 && Atomics.load(signals, SHARED.guarded) === 0;
    const busy = performance.now() - busySince;
    if (!computes) {
      busySince = performance.now();
    } else if (!signalled && busy > SIGNAL_AFTER) {
      signalled = true;
      process.kill(process.pid, "SIGINT");
    } else if (busy > TERMINATE_AFTER) {
      await terminate();
      busySince = performance.now();
    }
  }
}

async function terminate(): Promise<void> {
  const session = new Session();
  session.connectToMainThread();
  const done = new Promise(resolve => session.post("Runtime.terminateExecution", resolve));
  await Promise.race([done, sleep(TERMINATE_AFTER)]);
  session.disconnect();
}

function readRequest(frames: readonly Buffer[], key: string): Request | undefined {
  const start = frames.findIndex(frame => frame.equals(DELIMITER));
  const [signature, ...parts] = frames.slice(start + 1);
  const header = parts[0];
  if (start < 0 || !signature || !header || parts.length < 4) return undefined;
  const sign = (signed: readonly (Buffer | string)[]) => {
    const hmac = createHmac("sha256", key);
    for (const part of signed) hmac.update(part);
    return hmac.digest("hex");
  };
  const expected = Buffer.from(sign(parts));
  if (signature.length !== expected.length || !timingSafeEqual(signature, expected)) return undefined;
  const asked = JSON.parse(header.toString());
  return {
    type: String(asked.msg_type),
    content: JSON.parse(parts[3]!.toString()),
    reply(type, content) {
      const date = new Date().toISOString();
      const answered = { ...asked, msg_id: crypto.randomUUID(), msg_type: type, date };
      const body = [JSON.stringify(answered), header, "{}", JSON.stringify(content)];
      return [...frames.slice(0, start), DELIMITER, sign(body), ...body];
    },
  };
}

serve().catch(() => tell({ type: "failed" }));
