import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A TCP proxy before a server. */
export interface Proxy extends AsyncDisposable {
  /** The address of a server, with that of the proxy in its place. */
  through(url: string): string;
  /** Lets nothing pass any more, in either direction, and says so to nobody. */
  cut(): void;
  /** Ends all connections, and refuses new ones. */
  refuse(): void;
  /** Ends the connections that were cut, and lets new ones pass. */
  restore(): void;
}

/**
 * Starts a proxy before the server at this address. `judge` sees what the server answers, and may make it the connection's
 * last answer, or lose it with the connection.
 */
export async function startProxy(
  server: string,
  judge: (answer: string) => "last" | "lost" | undefined = () => undefined,
): Promise<Proxy> {
  const { hostname, port } = new URL(server);
  const sockets = new Set<Socket>();
  let isCut = false;
  let isRefusing = false;
  const listener = createServer(client => {
    if (isRefusing) return client.destroy();
    const upstream = connect(Number(port), hostname);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on("error", () => {});
      from.on("close", () => {
        sockets.delete(from);
        if (!isCut) to.destroy();
      });
      from.on("data", data => {
        const verdict = from === upstream ? judge(data.toString("latin1")) : undefined;
        if (!isCut && verdict !== "lost") to.write(data);
        if (!verdict) return;
        sockets.delete(client);
        client.end();
      });
    }
  });
  const destroy = () => {
    for (const socket of sockets) socket.destroy();
  };
  await once(listener.listen(0, "127.0.0.1"), "listening");
  return {
    through(url) {
      const address = new URL(url);
      address.port = String((listener.address() as AddressInfo).port);
      return address.href;
    },
    cut() {
      isCut = true;
    },
    refuse() {
      isRefusing = true;
      destroy();
    },
    restore() {
      isCut = false;
      isRefusing = false;
      destroy();
    },
    async [Symbol.asyncDispose]() {
      listener.close();
      destroy();
    },
  };
}
