import { formatWithOptions, inspect } from "#host";
import * as client from "../../client.ts";
import * as course from "../../course.ts";
import * as index from "../../index.ts";
import {
  type Cells,
  LIBRARY_FILES,
  openCellRuns,
  openCells,
  openGlobalEvaluator,
  openRuntime,
  openStreams,
} from "../../kernels/cells/index.ts";
import { tslab, writeOrDisplay } from "../../kernels/index.ts";
import { loadRenderer, setDownload } from "../library/charts.ts";
import { setDefaultService, setServiceSend } from "../library/host.ts";
import { openService } from "../service/connect.ts";
import { openThread } from "../threads.ts";
import type { HostedService, KernelPage, KernelThread } from "../workers.ts";
import { type Interrupts, openExecutions, openInterrupts } from "./executions.ts";
import { browserSyntax, type Downlevelled, needsCompiler } from "./syntax.ts";

/** Opens the modules of a page, which are those of the library, by the names of their files. */
function openModules(library: Readonly<Record<string, object>>) {
  const find = (specifier: unknown) => {
    if (specifier === "tslab") return tslab;
    const module = library[LIBRARY_FILES.get(specifier as string) ?? ""];
    if (module) return module;
    const known = Array.from(LIBRARY_FILES.keys(), name => `"${name}"`).join(", ");
    throw new Error(`A cell in a browser can only import ${known}, not ${JSON.stringify(specifier)}.`);
  };
  return {
    import: async (specifier: unknown): Promise<unknown> => find(specifier),
    require: find,
    meta: { url: globalThis.location?.href ?? "", main: true },
  };
}

type Fields = Record<string, unknown>;
type Write = (stream: "stdout" | "stderr", text: string) => void;

const INDENT = "  ";

/** Makes a console that writes to the output of cells, as Node's does. `clear` empties that output. */
function openConsole(write: Write, clear: () => void): Partial<Console> {
  let indent = "";
  const counts = new Map<string, number>();
  const starts = new Map<string, number>();
  const line = (stream: "stdout" | "stderr", text: string) =>
    write(stream, `${indent}${text.replaceAll("\n", `\n${indent}`)}\n`);
  const format = (values: unknown[]) => formatWithOptions({}, ...(values as [unknown]));
  const out = (...values: unknown[]) => writeOrDisplay((...plain) => line("stdout", format(plain)), values);
  const failed = (...values: unknown[]) => line("stderr", format(values));
  const elapsed = (label: string) =>
    `${label}: ${(performance.now() - (starts.get(label) ?? 0)).toFixed(3)}ms`;
  return {
    log: out,
    info: out,
    debug: out,
    table: out,
    dirxml: out,
    warn: failed,
    error: failed,
    trace: (...values) => failed(`Trace: ${format(values)}`),
    dir: (value, options) => line("stdout", inspect(value, { customInspect: false, ...options })),
    assert: (holds, ...values) => {
      if (!holds) failed(...(values.length > 0 ? ["Assertion failed:", ...values] : ["Assertion failed"]));
    },
    count(label = "default") {
      counts.set(label, (counts.get(label) ?? 0) + 1);
      out(`${label}: ${counts.get(label)}`);
    },
    countReset: (label = "default") => void counts.delete(label),
    time: (label = "default") => void starts.set(label, performance.now()),
    timeLog: (label = "default", ...values) => out(elapsed(label), ...values),
    timeEnd(label = "default") {
      out(elapsed(label));
      starts.delete(label);
    },
    group(...values) {
      if (values.length > 0) out(...values);
      indent += INDENT;
    },
    groupCollapsed(...values) {
      this.group?.(...values);
    },
    groupEnd() {
      indent = indent.slice(INDENT.length);
    },
    clear,
  };
}

/** Code that draws at once, for which what draws has to be there before it runs. */
const DRAWS = /\b(?:chart|theme|toSVG|toHTML|save)\b/;

const API_KEY = "x-api-key";

/** Notice that the service has a new key, which cells use from then on. */
const REPLACED =
  "Jobs, results and credits have been replaced: another tab imported an archive, or kept them in memory and was closed. Jobs in your variables may be gone.";

/** Made of a blob, a worker has the policy of the page; loaded by its address, as a cell could do, it has none. */
if (globalThis.location.protocol !== "blob:") throw new Error("Only its page can start the kernel.");
// The offline cache holds the page itself, and a cell's own worker could see all of it.
confine("caches", "Worker");

const ownScript = new URL("./", import.meta.url).href;
let current = 0;
let execute: ReturnType<typeof openExecutions>;
let cells: Cells;
let interrupts: Interrupts;
/** The last cell that needed TypeScript's own compiler, and what it made of it. */
let emitted: { source: string; code: Downlevelled } | undefined;

/** Removes names of the worker, permanently. */
function confine(...names: readonly string[]): void {
  for (let scope: object | null = globalThis; scope; scope = Object.getPrototypeOf(scope))
    for (const name of names) Reflect.deleteProperty(scope, name);
}

const start: KernelThread["start"] = (service, hosted, requested) => {
  interrupts = openInterrupts(requested);
  const modules = openModules({ index, client, course });
  Object.assign(globalThis, { require: modules.require, display: index.display });
  const runtime = openRuntime({ modules, ...interrupts });
  const runs = openCellRuns({
    awaitedAt: runtime.placesOf,
    isOfKernel: frame => frame.includes(ownScript) || /<anonymous>\)?$/.test(frame),
  });
  const publish = (message: string, content: object) => {
    if (message !== "stream") streams.flush();
    page.tell("onMessage", { type: message, parent: String(current), content: content as Fields });
  };
  const streams = openStreams(publish, setTimeout);
  Object.assign(console, openConsole(streams.write, index.display.clear));
  cells = openCells({
    evaluator: openGlobalEvaluator(),
    syntax: browserSyntax(source => (emitted?.source === source ? emitted.code : undefined)),
    runtime,
    runs,
    checksLoops: requested !== undefined,
  });
  execute = openExecutions({ cells, interrupts, streams, publish, prepare });
  const report = (what: string, thrown: unknown) =>
    streams.write("stderr", `${what} ${cells.describe(thrown).traceback.join("\n")}\n`);
  globalThis.addEventListener("error", event => {
    event.preventDefault();
    report("Uncaught", (event as ErrorEvent).error);
  });
  globalThis.addEventListener("unhandledrejection", event => {
    event.preventDefault();
    report("Unhandled rejection:", (event as PromiseRejectionEvent).reason);
  });
  setDownload((name, data) => page.tell("onDownload", name, data));
  connect(service, hosted);
};

/** Has TypeScript's own compiler, which is in another worker, emit what nothing here can, unless it can't be had. */
async function prepare(source: string): Promise<void> {
  const code = needsCompiler(source) ? await page.ask("emit", source).catch(() => undefined) : undefined;
  emitted = code && { source, code };
}

/** Has cells use the page's own service, or a hosted one. */
function connect(port: MessagePort, hosted: HostedService | undefined): void {
  const opened = openService(port);
  const ownKeys = new Set<string>();
  setServiceSend(async request => {
    const service = await opened;
    if (ownKeys.has(request.headers.get(API_KEY) ?? "")) request.headers.set(API_KEY, service.status.apiKey);
    return service.send(request);
  });
  setDefaultService(async () => {
    const { url, status } = await opened;
    return hosted ?? { url, apiKey: status.apiKey };
  });
  if (hosted) index.connect(hosted);
  opened.then(
    service => {
      const tell = () => {
        const { apiKey, notes } = service.status;
        ownKeys.add(apiKey);
        page.tell("onNotes", ownKeys.size > 1 ? [...notes, REPLACED] : notes);
      };
      service.onStatus(tell);
      tell();
    },
    (error: Error) => page.tell("onNotes", [error.message]),
  );
}

const own: KernelThread = {
  start,
  interrupt: () => interrupts.interrupt(),
  async execute(id, code, count, timed) {
    current = id;
    if (DRAWS.test(code)) await loadRenderer().catch(() => undefined);
    const failure = await execute(code, count, timed);
    return { failure, names: cells.names() };
  },
};

const page = openThread<KernelPage & { loaded(): void }>(globalThis, own);
page.tell("loaded");
