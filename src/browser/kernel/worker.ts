import * as client from "../../client.ts";
import * as course from "../../course.ts";
import * as index from "../../index.ts";
import { openCellRuns } from "../../kernels/session/cell-runs.ts";
import { openRuntime } from "../../kernels/session/cell-runtime.ts";
import { type Cells, openCells } from "../../kernels/session/cells.ts";
import { openGlobalEvaluator } from "../../kernels/session/global-evaluator.ts";
import { setDownload } from "../library/downloads.ts";
import { setDefaultService } from "../library/host.ts";
import { loadRenderer } from "../library/render.ts";
import { setServiceSend } from "../library/sender.ts";
import { openService } from "../service/connect.ts";
import { type CompilerClient, openCompilerClient } from "./compiler.ts";
import { openConsole } from "./console.ts";
import { openExecutions } from "./executions.ts";
import { type Interrupts, openInterrupts } from "./interrupts.ts";
import { openModules } from "./modules.ts";
import { openStreams } from "./output.ts";
import type { FromKernel, ToKernel } from "./protocol.ts";
import { browserSyntax } from "./syntax.ts";

/** Code that draws at once, for which what draws has to be there before it runs. */
const DRAWS = /\b(?:chart|theme|toSVG|toHTML|save)\b/;

const API_KEY = "x-api-key";

/** Notice that the service has a new key, which cells use from then on. */
const REPLACED =
  "Jobs, results and credits are others than before: another tab has imported an archive, or had kept them in memory and was closed. Jobs in your variables may be gone.";

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

/** Removes names of the worker, for good. */
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
