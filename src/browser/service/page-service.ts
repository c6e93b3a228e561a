import sqlite3InitModule from "@sqlite.org/sqlite-wasm";
import { loadCatalogue } from "../../service/catalogue/catalogue.ts";
import { steadyClock } from "../../service/clock.ts";
import { openInOrder } from "../../service/closing.ts";
import { prepareEmbedded } from "../../service/embedded.ts";
import type { Log } from "../../service/log.ts";
import { createRequestHandler } from "../../service/request-handler.ts";
import { RETENTION_MS, startRetention } from "../../service/retention/schedule.ts";
import { StoreError } from "../../service/storage-errors.ts";
import { createPool } from "../../service/workers/pool.ts";
import { createPrinter } from "../../service/workers/printer.ts";
import { VERSION } from "../../version.ts";
import { exportArchive, readArchive } from "./archive.ts";
import { ARCHIVE_PATH } from "./connect.ts";
import { replaceStore } from "./import-archive.ts";
import { loadKernels } from "./load-kernels.ts";
import { openPageStore, openScratchStore } from "./open-store.ts";
import { browserKeyFile } from "./owner-key.ts";
import { openSimulators } from "./simulators.ts";

/** Options of a page's service. */
export interface PageServiceOptions {
  /** Folder of the build that has `simulator.js`, `simulation-thread.js`, the kernels and `sqlite3.wasm`. */
  base: URL;
  /** Folder in the browser's storage. Default: `ketbook`. */
  folder?: string;
  /** Jobs that it runs at a time. Default: one a processor. */
  slots?: number;
}

/** The service of a page that runs in this thread. */
export interface RunningPageService {
  /** Returns the key of the page's own user, which is another one once an archive was imported. */
  apiKey(): Promise<string>;
  /** Whether its jobs outlive the page. */
  isKept: boolean;
  answer(request: Request): Promise<Response>;
  /** Stops: finishes or requeues what runs. */
  stop(): Promise<void>;
}

/** Time for running jobs to finish when the service stops. */
const GRACE_MS = 2000;

const log: Log = (level, event, fields) => {
  // biome-ignore lint/suspicious/noConsole: faults of the service have no other place in a page
  if (level === "error") console.error(event, fields);
};

/** Starts the service of a page in this thread. Throws a `StoreError` where its store can't be opened. */
export function startPageService({
  base,
  folder = "ketbook",
  slots,
}: PageServiceOptions): Promise<RunningPageService> {
  return openInOrder(log, async (onClose, stop) => {
    Object.assign(globalThis, {
      sqlite3ApiConfig: { disable: { vfs: { opfs: true, "opfs-wl": true, kvvfs: true } } },
    });
    const locateFile = (name: string) => new URL(name, base).href;
    const [sqlite, kernels] = await Promise.all([
      (sqlite3InitModule as (options: object) => ReturnType<typeof sqlite3InitModule>)({ locateFile }),
      loadKernels(base),
    ]);
    const { store, isKept, compact } = await openPageStore(sqlite, { folder: `/${folder}/store` });
    onClose(() => store.destroy());
    const clock = steadyClock();
    onClose(startRetention({ store, compact, retention: RETENTION_MS, clock, log }));
    const simulators = openSimulators({
      script: new URL("simulator.js", base),
      threadScript: new URL("simulation-thread.js", base),
      kernels,
      ...(slots === undefined ? {} : { slots }),
    });
    onClose(simulators.close);
    const printer = createPrinter(simulators);

    /** Starts to answer, and to run jobs. */
    async function begin() {
      const { context, apiKey, start } = await prepareEmbedded({
        store,
        catalogue: loadCatalogue(),
        pool: createPool(simulators),
        keyFile: browserKeyFile(isKept ? folder : undefined),
        clock,
        version: VERSION,
        log,
      });
      const { answer } = createRequestHandler({ context, printer, version: VERSION, log });
      return { apiKey, answer, dispatcher: await start() };
    }

    let running = begin();
    await running;
    onClose(async () => (await running).dispatcher.stop(GRACE_MS));

    /** Replaces all that is kept; what ran is in it no more. */
    async function importArchive(bytes: ArrayBuffer): Promise<{ jobs: number }> {
      await (await running).dispatcher.stop(0);
      const imported = readArchive(bytes).then(lines =>
        replaceStore(store, lines, () => openScratchStore(sqlite)),
      );
      running = imported.then(begin, begin);
      await running;
      return imported;
    }

    async function answerArchive(request: Request): Promise<Response> {
      if (request.headers.get("x-api-key") !== (await running).apiKey)
        return new Response(null, { status: 401 });
      if (request.method === "GET") return exportArchive(store, clock());
      try {
        return Response.json(await importArchive(await request.arrayBuffer()));
      } catch (error) {
        if (error instanceof StoreError) return Response.json({ message: error.message }, { status: 422 });
        throw error;
      }
    }

    return {
      apiKey: async () => (await running).apiKey,
      isKept,
      answer: async request =>
        new URL(request.url).pathname === ARCHIVE_PATH
          ? answerArchive(request)
          : (await running).answer(request, undefined),
      stop,
    };
  });
}
