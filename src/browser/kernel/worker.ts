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
} from "../../kernels/cells/index.ts";
import { tslab, writeOrDisplay } from "../../kernels/index.ts";
import { loadRenderer, setDownload } from "../library/charts.ts";
import { setDefaultService, setServiceSend } from "../library/host.ts";
import { openService } from "../service/connect.ts";
import type { FromKernel, ToKernel } from "../workers.ts";
import { type Interrupts, openExecutions, openInterrupts, openStreams } from "./executions.ts";
import { browserSyntax, type Downlevelled, type FindDownlevelled, needsCompiler } from "./syntax.ts";

/** Has TypeScript's own compiler, which is in another worker, emit what nothing here can. */
interface CompilerClient {
  find: FindDownlevelled;
  /** Requests the compiler's output for a source that needs it. */
  prepare(source: string): Promise<void>;
  /** Takes in an answer; undefined where the compiler can't be had. */
  take(id: number, emitted: Downlevelled | undefined): void;
}

/** Opens a client of the compiler. `ask` sends it a source. */
function openCompilerClient(ask: (id: number, source: string) => void): CompilerClient {
  const waiting = new Map<number, (emitted: Downlevelled | undefined) => void>();
  let known: { source: string; emitted: Downlevelled } | undefined;
  let serial = 0;
  return {
    find: source => (known?.source === source ? known.emitted : undefined),
    async prepare(source) {
      if (!needsCompiler(source)) return;
      serial += 1;
      const { promise, resolve } = Promise.withResolvers<Downlevelled | undefined>();
      waiting.set(serial, resolve);
      ask(serial, source);
      const emitted = await promise;
      known = emitted && { source, emitted };
    },
    take(id, emitted) {
      waiting.get(id)?.(emitted);
      waiting.delete(id);
    },
  };
}

/** Loads modules for cells in a page. */
interface PageModules {
  import(specifier: unknown): Promise<unknown>;
  require(specifier: unknown): unknown;
  meta: { url: string; main: boolean };
}

/** Opens the modules of a page, which are those of the library, by the names of their files. */
function openModules(library: Readonly<Record<string, object>>): PageModules {
  const find = (specifier: unknown) => {
    if (specifier === "tslab") return tslab;
    const module = library[LIBRARY_FILES.get(specifier as string) ?? ""];
    if (module) return module;
    const known = Array.from(LIBRARY_FILES.keys(), name => `"${name}"`).join(", ");
    throw new Error(`A cell in a browser can only import ${known}, not ${JSON.stringify(specifier)}.`);
  };
  return {
    import: async specifier => find(specifier),
    require: find,
    meta: { url: globalThis.location?.href ?? "", main: true },
  };
}

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

const post = globalThis.postMessage.bind(globalThis) as (message: FromKernel) => void;
const ownScript = new URL("./", import.meta.url).href;
let current = 0;
let execute: ReturnType<typeof openExecutions>;
let cells: Cells;
let interrupts: Interrupts;
let compiler: CompilerClient;

/** Removes names of the worker, permanently. */
function confine(...names: readonly string[]): void {
  for (let scope: object | null = globalThis; scope; scope = Object.getPrototypeOf(scope))
    for (const name of names) Reflect.deleteProperty(scope, name);
}

function start({ service, hosted, interrupts: requested }: Extract<ToKernel, { type: "start" }>): void {
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
    post({ type: "publish", id: current, message, content });
  };
  const streams = openStreams(publish);
  Object.assign(console, openConsole(streams.write, index.display.clear));
  compiler = openCompilerClient((id, source) => post({ type: "emit", id, source }));
  cells = openCells({
    evaluator: openGlobalEvaluator(),
    syntax: browserSyntax(compiler.find),
    runtime,
    runs,
    checksLoops: requested !== undefined,
  });
  execute = openExecutions({ cells, interrupts, streams, publish, prepare: compiler.prepare });
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
  setDownload((name, data) => post({ type: "download", name, data }));
  connect(service, hosted);
}

/** Has cells use the page's own service, or a hosted one. */
function connect(port: MessagePort, hosted: Extract<ToKernel, { type: "start" }>["hosted"]): void {
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
        post({ type: "notes", notes: ownKeys.size > 1 ? [...notes, REPLACED] : notes });
      };
      service.onStatus(tell);
      tell();
    },
    (error: Error) => post({ type: "unavailable", message: error.message }),
  );
}

globalThis.addEventListener("message", ({ data }: MessageEvent<ToKernel>) => {
  if (data.type === "start") start(data);
  else if (data.type === "interrupt") interrupts.interrupt();
  else if (data.type === "emitted") compiler.take(data.id, data.emitted);
  else void run(data);
});

async function run({ id, code, count, timed }: Extract<ToKernel, { type: "execute" }>): Promise<void> {
  current = id;
  if (DRAWS.test(code)) await loadRenderer();
  const failure = await execute(code, count, timed);
  post({ type: "done", id, failure, names: cells.names() });
}

post({ type: "loaded" });
