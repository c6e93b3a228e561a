import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A TCP proxy before a server. */
export interface Proxy extends AsyncDisposable {
  /** The address of a server, with that of the proxy in its place. */
  through(url: string): string;
  /** Lets nothing pass any more, in either direction, and says so to nobody. */
  cut(): void;
  /** Ends the connections that were cut, and lets new ones pass. */
  restore(): void;
}

/** Starts a proxy before the server at this address. */
export async function startProxy(server: string): Promise<Proxy> {
  const { hostname, port } = new URL(server);
  const sockets = new Set<Socket>();
  let isCut = false;
  const listener = createServer(client => {
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
        if (!isCut) to.write(data);
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
    restore() {
      isCut = false;
      destroy();
    },
    async [Symbol.asyncDispose]() {
      listener.close();
      destroy();
    },
  };
}
