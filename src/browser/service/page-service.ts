import sqlite3InitModule from "@sqlite.org/sqlite-wasm";
import {
  createPool,
  createPrinter,
  createRequestHandler,
  damaged,
  exportStore,
  type KeyFile,
  type Log,
  loadCatalogue,
  openInOrder,
  prepareEmbedded,
  RETENTION_MS,
  type Store,
  StoreError,
  startRetention,
  steadyClock,
  writeLines,
} from "../../service/index.ts";
import { VERSION } from "../../version.ts";
import { ARCHIVE_PATH } from "./connect.ts";
import { replaceStore } from "./import-archive.ts";
import { openPageStore, openScratchStore } from "./open-store.ts";
import { loadKernels, openSimulators } from "./simulators.ts";

const FILE_NAME = "owner.key";

/** The synchronous handle of a file, which only workers have. */
interface SyncHandle {
  read(buffer: Uint8Array): number;
  write(buffer: Uint8Array): number;
  truncate(size: number): void;
  getSize(): number;
  flush(): void;
  close(): void;
}

/** Returns where the key of a page's own user is kept: in a folder of the browser's storage, or in memory. */
function browserKeyFile(folder: string | undefined): KeyFile {
  if (folder === undefined) {
    let kept: string | undefined;
    return {
      read: () => kept,
      write: key => {
        kept = key;
      },
    };
  }
  return {
    read: () =>
      withFile(folder, handle => {
        const bytes = new Uint8Array(handle.getSize());
        handle.read(bytes);
        return new TextDecoder().decode(bytes).trim() || undefined;
      }),
    write: key =>
      withFile(folder, handle => {
        handle.truncate(0);
        handle.write(new TextEncoder().encode(key));
        handle.flush();
      }),
  };
}

async function withFile<T>(folder: string, use: (handle: SyncHandle) => T): Promise<T> {
  let directory = await navigator.storage.getDirectory();
  for (const name of folder.split("/").filter(Boolean))
    directory = await directory.getDirectoryHandle(name, { create: true });
  const file = await directory.getFileHandle(FILE_NAME, { create: true });
  const handle = await (
    file as unknown as { createSyncAccessHandle(): Promise<SyncHandle> }
  ).createSyncAccessHandle();
  try {
    return use(handle);
  } finally {
    handle.close();
  }
}

/** Answers with all that a store keeps, as an archive like that of `ketbook export`, which `ketbook import` reads. */
async function exportArchive(store: Store, now: number): Promise<Response> {
  const lines = await store.transaction().execute(async transaction => {
    const written: BlobPart[] = [];
    for await (const bytes of writeLines(exportStore(transaction, now))) written.push(bytes as BlobPart);
    return written;
  });
  const archive = new Blob(lines).stream().pipeThrough(new CompressionStream("gzip"));
  return new Response(archive, { headers: { "Content-Type": "application/gzip" } });
}

/** Reads the bytes of an archive, compressed or not. Throws a `StoreError` where they can't be unpacked. */
async function readArchive(bytes: ArrayBuffer): Promise<AsyncIterable<Uint8Array>> {
  const [first, second] = new Uint8Array(bytes);
  const stream = new Blob([bytes]).stream();
  if (first !== 0x1f || second !== 0x8b) return stream;
  return unpacked(stream.pipeThrough(new DecompressionStream("gzip")));
}

async function* unpacked(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* stream;
  } catch {
    throw damaged("it can't be unpacked");
  }
}

/** Options of a page's service. */
interface PageServiceOptions {
  /** Folder of the build that has `simulator.js`, `simulation-thread.js`, the kernels and `sqlite3.wasm`. */
  base: URL;
  /** Folder in the browser's storage. Default: `ketbook`. */
  folder?: string;
  /** Jobs that it runs at a time. Default: one a processor. */
  slots?: number;
}

/** The service of a page that runs in this thread. */
interface RunningPageService {
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
