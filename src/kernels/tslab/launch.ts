import { readFileSync } from "node:fs";
import { createRequire, enableCompileCache } from "node:module";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { takeStreams } from "../streams.ts";
import { hookControl } from "./control.ts";
import { type Evaluation, hookEvaluation } from "./evaluation.ts";
import { hookExecution } from "./execution.ts";
import { openInterrupts } from "./interrupts.ts";
import { endWithInput, followParent, hookShutdown } from "./lifetime.ts";
import { nearestTslab, type Tslab, tslabAt } from "./locate.ts";
import { loadModules } from "./modules.ts";
import { preloadLibrary } from "./preload.ts";
import { hookPublisher } from "./publisher.ts";
import { hookRequests } from "./requests.ts";
import { reportStrayErrors, strayListeners } from "./stray-errors.ts";
import { warnInFirstCell, warningOf } from "./warning.ts";

/**
 * Starts tslab's kernel with Ketbook's plugin: what tslab lacks or does wrong is added and mended in the running
 * tslab, nothing of it is changed on disk.
 */
const { values: options } = parseArgs({
  options: {
    connection: { type: "string" },
    tslab: { type: "string" },
    js: { type: "boolean", default: false },
    preload: { type: "boolean", default: false },
    tied: { type: "boolean", default: false },
  },
});
const { connection: connectionFile = "", js: javascript } = options;

if (options.tied) endWithInput();
followParent(() => process.exit(1));
const tslab = nearestTslab([process.cwd()]) ?? (options.tslab ? tslabAt(options.tslab) : undefined);
if (!tslab) throw new Error("tslab, the TypeScript kernel, is not installed: npm install tslab");
// The compiler loads in half the time when the engine has kept what it made of it.
enableCompileCache(join(dirname(dirname(tslab.manifest)), ".cache", "ketbook"));
start(tslab);

function start(tslab: Tslab): void {
  const lacking: string[] = [];
  const note = (name: string, hooked: boolean) => void (hooked || lacking.push(name));
  const modules = loadModules(tslab);
  const { jupyter, main, zeromq } = modules;
  note("zeromq's Publisher", zeromq !== undefined && hookPublisher(zeromq));
  const startKernel = main?.startKernel;
  if (typeof startKernel !== "function") {
    startPlain(tslab);
    return;
  }
  const interrupts = openInterrupts();
  // It may be gone when the control channel opens.
  const connection = JSON.parse(readFileSync(connectionFile, "utf8"));
  const control = hookControl(jupyter, { connection, manifest: tslab.manifest }, () =>
    evaluation?.interrupt(),
  );
  const { handleExecute, publishStatus } = jupyter?.ZmqServer?.prototype ?? {};
  const canExecute = handleExecute !== undefined && publishStatus !== undefined;
  const evaluation: Evaluation | undefined = canExecute
    ? hookEvaluation(modules, interrupts, control.guard, lacking)
    : undefined;
  const streams = takeStreams();
  const warning = () => warningOf(lacking, tslab.version);
  const parts = evaluation && {
    evaluation,
    interrupts,
    streams,
    javascript,
    warning,
    cellRuns: control.cellRuns,
  };
  note("ZmqServer.handleExecute", parts !== undefined && hookExecution(jupyter, parts));
  note("JupyterHandlerImpl", hookRequests(modules));
  note("ZmqServer.close", hookShutdown(jupyter));
  if (!evaluation) warnInFirstCell(jupyter, warning());
  const before = strayListeners();
  startKernel({
    configPath: connectionFile,
    enableFindLocal: false,
    jsKernel: javascript,
    globalVersion: tslab.version,
  });
  if (evaluation) reportStrayErrors(evaluation.describe, before);
  if (evaluation && options.preload) void preloadLibrary(evaluation, process.cwd());
}

/** Starts a tslab that is made otherwise than those that are known, by its own command. */
function startPlain({ entry, manifest }: Tslab): void {
  process.argv = [
    process.execPath,
    entry,
    "kernel",
    "--config-path",
    connectionFile,
    ...(javascript ? ["--js"] : []),
  ];
  createRequire(manifest)(entry);
}
