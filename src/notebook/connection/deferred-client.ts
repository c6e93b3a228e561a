import type { Client } from "../../client/client.ts";
import type { Pages } from "../../client/pages.ts";

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
  return new Proxy<Operations>(
    {},
    {
      get: (_, name) => {
        if (typeof name !== "string" || name === "then") return undefined;
        if (name === "list")
          return (...args: unknown[]) =>
            deferredPages(async () => ({ pages: (await load()).list!(...args) as Pages<unknown> }));
        return (...args: unknown[]) => call(name, args);
      },
    },
  );
}

/** A list that is opened when it is first looked at, once. It comes in a box, since awaiting it would fetch a page. */
function deferredPages<T>(open: () => Promise<{ pages: Pages<T> }>): Pages<T> {
  let opened: ReturnType<typeof open> | undefined;
  const box = () => (opened ??= open());
  const first = async () => (await box()).pages;
  return {
    // biome-ignore lint/suspicious/noThenProperty: a list is awaitable
    then: (onFulfilled, onRejected) => first().then(onFulfilled, onRejected),
    catch: onRejected => first().catch(onRejected),
    finally: onFinally => first().finally(onFinally),
    [Symbol.toStringTag]: "Pages",
    async *pages() {
      yield* (await box()).pages.pages();
    },
    async *[Symbol.asyncIterator]() {
      yield* (await box()).pages;
    },
  };
}
