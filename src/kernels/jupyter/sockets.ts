import { Reply, Router, XPublisher } from "zeromq";
import type { Connection } from "./channel.ts";
import type { Channel, Messages, Request } from "./requests.ts";
import { type Frames, openWire } from "./wire.ts";

const SEND_TIMEOUT_MS = 10_000;
const LINGER_MS = 500;
const SUBSCRIBED = 1;

/** Listens on the ports of a connection. Every request is handed on in order, by its channel. */
export async function openSockets(
  connection: Connection,
  receive: (channel: Channel, request: Request) => void,
): Promise<Messages & { close(): Promise<void> }> {
  const wire = openWire(connection.key);
  const options = { linger: LINGER_MS, sendHighWaterMark: 0, receiveHighWaterMark: 0 };
  const channels = { shell: new Router(options), control: new Router(options), stdin: new Router(options) };
  const published = new XPublisher({
    verbosity: "allSubs",
    linger: LINGER_MS,
    sendHighWaterMark: 4096,
    sendTimeout: SEND_TIMEOUT_MS,
    noDrop: true,
  });
  const heartbeat = new Reply();
  const sending = new Map<object, Promise<void>>();
  const address = (port: number) =>
    `${connection.transport}://${connection.ip}${connection.transport === "ipc" ? "-" : ":"}${port}`;
  await Promise.all([
    channels.shell.bind(address(connection.shell_port)),
    channels.control.bind(address(connection.control_port)),
    channels.stdin.bind(address(connection.stdin_port)),
    published.bind(address(connection.iopub_port)),
    heartbeat.bind(address(connection.hb_port)),
  ]);

  function send(socket: Router | XPublisher, frames: Frames): Promise<void> {
    const before = sending.get(socket) ?? Promise.resolve();
    const sent = before.then(() => socket.send(frames)).catch(() => undefined);
    sending.set(socket, sent);
    return sent;
  }

  async function listen(channel: Channel): Promise<void> {
    for await (const frames of channels[channel]) {
      const request = wire.read(frames);
      if (request) receive(channel, request);
    }
  }

  async function beat(): Promise<void> {
    for await (const frames of heartbeat) await heartbeat.send(frames);
  }

  /** Tells who subscribes that nothing is missed from then on. */
  async function welcome(): Promise<void> {
    for await (const [frame] of published) {
      if (frame?.[0] !== SUBSCRIBED) continue;
      const subscription = frame.subarray(1).toString("utf8");
      const topic = subscription || "iopub_welcome";
      void send(published, wire.write("iopub_welcome", { subscription }, undefined, [topic]));
    }
  }

  for (const listening of [listen("shell"), listen("control"), listen("stdin"), beat(), welcome()])
    listening.catch(() => undefined);

  return {
    reply: (channel, type, content, parent) =>
      send(channels[channel], wire.write(type, content, parent, parent.identities)),
    publish(type, content, parent, sent, metadata) {
      void send(published, wire.write(type, content, parent, [type], metadata)).then(sent);
    },
    /** Resolves when everything has been sent and the sockets are closed. */
    async close() {
      await Promise.all(sending.values());
      for (const socket of [...Object.values(channels), published, heartbeat]) socket.close();
    },
  };
}
