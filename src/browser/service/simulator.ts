import { provideKernels, provideThreads } from "../../host/browser.ts";
import { print, run } from "../../service/workers/worker.ts";
import { openThread } from "../threads.ts";
import type { SimulatorOwner, SimulatorThread } from "./simulators.ts";

/** The script of a web worker that runs programs, draws and prints them. */
const owner = openThread<SimulatorOwner>(globalThis, {
  provideKernels: fastest => provideKernels({ fastest }),
  run(task, control, plain) {
    if (plain) provideKernels({ plain });
    return run({ ...task, control, port });
  },
  print: task => print({ ...task, port }),
} satisfies SimulatorThread);

const port = { postMessage: (fraction: number) => owner.tell("report", fraction), close: () => {} };

if (globalThis.crossOriginIsolated)
  provideThreads({
    processors: navigator.hardwareConcurrency || 1,
    start(data) {
      owner.tell("startThread", data);
      return { end: () => owner.tell("endThreads") };
    },
  });
