import type { Fetch } from "../../client/index.ts";
import {
  createPrinter,
  createRequestHandler,
  createTables,
  loadCatalogue,
  openStore,
  prepareEmbedded,
  SQLITE_SYNTAX,
  type WorkerPool,
} from "../../service/index.ts";
import { openMemory } from "../../service/node/index.ts";
import { print, run } from "../../service/workers/worker.ts";
import { VERSION } from "../../version.ts";

const port = { postMessage: () => undefined, close: () => undefined };

/** Runs jobs one after the other in this thread. */
const pool: WorkerPool = {
  slots: 1,
  run: task => ({
    outcome: Promise.resolve().then(() => run({ ...task, control: null, port })),
    startedAt: performance.now(),
    cancel: () => undefined,
  }),
  close: async () => undefined,
};

/** Starts a service in this thread, with its store in memory: it needs no file, process or network. */
async function startService(): Promise<(request: Request) => Promise<Response>> {
  const store = openStore(openMemory());
  await createTables(store, SQLITE_SYNTAX);
  const common = { version: VERSION, log: () => undefined };
  const { context, apiKey, start } = await prepareEmbedded({
    ...{ store, catalogue: loadCatalogue(undefined, "instant"), pool, ...common },
    keyFile: { read: () => undefined, write: () => undefined },
    clock: Date.now,
  });
  const printer = createPrinter({ print: async task => print({ ...task, port }), close: pool.close });
  const { answer } = createRequestHandler({ context, printer, ...common });
  await start();
  return request => {
    request.headers.set("x-api-key", apiKey);
    return answer(request, undefined);
  };
}

let started: ReturnType<typeof startService> | undefined;

/** Answers requests of the library by a service that the first one starts. */
export const sandboxFetch: Fetch = async (url, { method, headers, body, signal }) => {
  started ??= startService();
  return (await started)(new Request(url, { method, headers, body, signal }));
};
