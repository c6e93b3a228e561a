import sqlite3InitModule from "@sqlite.org/sqlite-wasm";
import {
  createPool,
  createPrinter,
  createRequestHandler,
  type KeyFile,
  type Log,
  loadCatalogue,
  openInOrder,
  prepareEmbedded,
  RETENTION_MS,
  replaceStoreRows,
  StoreError,
  startRetention,
  steadyClock,
} from "../../service/index.ts";
import { VERSION } from "../../version.ts";
import { ARCHIVE_PATH } from "./connect.ts";
import { openPageStore, openStoreCopy } from "./open-store.ts";
import { loadKernels, openSimulators } from "./simulators.ts";

const FOLDER = "ketbook";
const KEY_FILE = "owner.key";

/** A file of the browser's storage, which workers can open. */
type FileHandle = FileSystemFileHandle & {
  createSyncAccessHandle(): Promise<{
    write(bytes: Uint8Array, place: { at: number }): number;
    truncate(bytes: number): void;
    flush(): void;
    close(): void;
  }>;
};

/** Returns the key file of the page's user. It is in memory if the browser keeps no files. */
function browserKeyFile(isKept: boolean): KeyFile {
  if (!isKept) {
    let kept: string | undefined;
    return {
      read: () => kept,
      write: key => {
        kept = key;
      },
    };
  }
  const open = async () => {
    const root = await navigator.storage.getDirectory();
    const folder = await root.getDirectoryHandle(FOLDER, { create: true });
    return (await folder.getFileHandle(KEY_FILE, { create: true })) as FileHandle;
  };
  return {
    read: async () => (await (await (await open()).getFile()).text()).trim() || undefined,
    async write(key) {
      const file = await (await open()).createSyncAccessHandle();
      file.truncate(0);
      file.write(new TextEncoder().encode(key), { at: 0 });
      file.flush();
      file.close();
    },
  };
}

/** Time for running jobs to finish when the service stops. */
const GRACE_MS = 2000;

const log: Log = (level, event, fields) => {
  // biome-ignore lint/suspicious/noConsole: faults of the service have no other place in a page
  if (level === "error") console.error(event, fields);
};

/**
 * Starts the service of a page in this thread.
 *
 * @param base - Folder of the build with `simulator.js`, `simulation-thread.js`, the kernels and `sqlite3.wasm`.
 * @throws StoreError if its store can't be opened.
 */
export function startPageService(base: URL) {
  return openInOrder(log, async (onClose, stop) => {
    Object.assign(globalThis, {
      sqlite3ApiConfig: { disable: { vfs: { opfs: true, "opfs-wl": true, kvvfs: true } } },
    });
    const locateFile = (name: string) => new URL(name, base).href;
    const [sqlite, kernels] = await Promise.all([
      (sqlite3InitModule as (options: object) => ReturnType<typeof sqlite3InitModule>)({ locateFile }),
      loadKernels(base),
    ]);
    const { store, isKept, compact, toFile } = await openPageStore(sqlite, `/${FOLDER}/store`);
    onClose(() => store.destroy());
    const clock = steadyClock();
    onClose(startRetention({ store, compact, retention: RETENTION_MS, clock, log }));
    const simulators = openSimulators({
      script: new URL("simulator.js", base),
      threadScript: new URL("simulation-thread.js", base),
      kernels,
    });
    onClose(simulators.close);
    const printer = createPrinter(simulators);

    async function begin() {
      const { context, apiKey, start } = await prepareEmbedded({
        store,
        catalogue: loadCatalogue(),
        pool: createPool(simulators),
        keyFile: browserKeyFile(isKept),
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
    async function importArchive(file: ArrayBuffer): Promise<{ jobs: number }> {
      const from = await openStoreCopy(sqlite, new Uint8Array(file));
      await (await running).dispatcher.stop(0);
      const imported = replaceStoreRows(from, store).finally(() => from.destroy());
      running = imported.then(begin, begin);
      await running;
      return { jobs: await imported };
    }

    async function answerArchive(request: Request): Promise<Response> {
      if (request.headers.get("x-api-key") !== (await running).apiKey)
        return new Response(null, { status: 401 });
      if (request.method === "GET") return new Response(await toFile());
      try {
        return Response.json(await importArchive(await request.arrayBuffer()));
      } catch (error) {
        if (error instanceof StoreError) return Response.json({ message: error.message }, { status: 422 });
        throw error;
      }
    }

    return {
      /** Returns the key of the page's own user, which is another one once an archive was imported. */
      apiKey: async () => (await running).apiKey,
      isKept,
      answer: async (request: Request) =>
        new URL(request.url).pathname === ARCHIVE_PATH
          ? answerArchive(request)
          : (await running).answer(request, undefined),
      stop,
    };
  });
}
