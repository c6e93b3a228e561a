import type { Client } from "../client/client.ts";

type Operations = { readonly [name: string]: (...args: unknown[]) => unknown };

/** Makes a client whose code, and that of the network, is loaded by its first call. After a failure the next call tries again. */
export function deferredClient(open: () => Promise<Client>): Client {
  let opened: Promise<Client> | undefined;
  const load = () => {
    if (!opened) {
      opened = open();
      opened.catch(() => {
        opened = undefined;
      });
    }
    return opened;
  };
  const resource = <K extends keyof Client>(name: K): Client[K] =>
    deferredResource(async () => (await load())[name] as unknown as Operations) as unknown as Client[K];
  return {
    jobs: resource("jobs"),
    groups: resource("groups"),
    devices: resource("devices"),
    account: resource("account"),
    watch: async (...args) => (await load()).watch(...args),
  };
}

/** Operations that load their client first. A list is a promise of its first page, and iterates over its rows. */
function deferredResource(load: () => Promise<Operations>): Operations {
  const call = async (name: string, args: unknown[]) => (await load())[name]!(...args);
  const list = (...args: unknown[]) => ({
    // biome-ignore lint/suspicious/noThenProperty: a list is awaitable
    then: (...callbacks: Parameters<Promise<unknown>["then"]>) => call("list", args).then(...callbacks),
    async *[Symbol.asyncIterator]() {
      yield* (await load()).list!(...args) as AsyncIterable<unknown>;
    },
  });
  return new Proxy<Operations>(
    {},
    {
      get: (_, name) => {
        if (typeof name !== "string" || name === "then") return undefined;
        return name === "list" ? list : (...args: unknown[]) => call(name, args);
      },
    },
  );
}
