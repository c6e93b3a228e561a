import type { Client } from "../../client/client.ts";
import type { Pages } from "../../client/pages.ts";
import { memoizeSuccess } from "../values/memoize.ts";

type Resource = Exclude<keyof Client, "watch">;
type Operations = { readonly [name: string]: (...args: unknown[]) => unknown };

/** Operations of each resource, known before its code is loaded. */
const operations: { readonly [R in Resource]: { readonly [name in keyof Client[R]]: true } } = {
  jobs: {
    create: true,
    get: true,
    list: true,
    result: true,
    program: true,
    compiledProgram: true,
    ascii: true,
    cancel: true,
    delete: true,
    deleteMany: true,
    quote: true,
    summary: true,
    statuses: true,
  },
  groups: { create: true, list: true, get: true, jobs: true, close: true, cancel: true },
  devices: { get: true, list: true, calibrations: true },
  account: { balance: true, pricing: true, usage: true, usageSeries: true },
};

/** Makes a client whose code, and that of the network, is loaded by its first call. After a failure the next call tries again. */
export function deferredClient(open: () => Promise<Client>): Client {
  const opened = memoizeSuccess(open);
  const load = () => opened.get();
  const resource = <R extends Resource>(name: R): Client[R] =>
    tagged(
      `client.${name}`,
      deferredResource(
        Object.keys(operations[name]),
        async () => (await load())[name] as unknown as Operations,
      ) as unknown as Client[R],
    );
  return tagged("client", {
    jobs: resource("jobs"),
    groups: resource("groups"),
    devices: resource("devices"),
    account: resource("account"),
    watch: async (...args) => (await load()).watch(...args),
  });
}

/** Names an object where it is printed. */
function tagged<T extends object>(name: string, value: T): T {
  return Object.defineProperty(value, Symbol.toStringTag, { value: name });
}

/** Operations that load their client first. A list is a promise of its first page, and iterates over its rows. */
function deferredResource(names: readonly string[], load: () => Promise<Operations>): Operations {
  const call = async (name: string, args: unknown[]) => (await load())[name]!(...args);
  const list = (args: unknown[]) =>
    deferredPages(async () => ({ pages: (await load()).list!(...args) as Pages<unknown> }));
  const named = names.map(
    (name): Operations => ({
      [name]: (...args) => (name === "list" ? list(args) : call(name, args)),
    }),
  );
  return Object.assign({}, ...named);
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
