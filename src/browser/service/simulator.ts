import { provideKernels, provideThreads } from "../../host/browser.ts";
import { print, run } from "../../service/workers/worker.ts";
import type { FromSimulator, SimulatorTask, ToSimulator } from "./simulators.ts";

/** The script of a web worker that runs programs, draws and prints them. */
const post = (message: FromSimulator) => postMessage(message);

if (globalThis.crossOriginIsolated)
  provideThreads({
    processors: navigator.hardwareConcurrency || 1,
    start(data) {
      post({ kind: "start-thread", data });
      return { end: () => post({ kind: "end-threads" }) };
    },
  });

function perform(message: SimulatorTask) {
  const port = { postMessage: (fraction: number) => post({ kind: "report", fraction }), close: () => {} };
  if (message.kind === "print") return print({ ...message.task, port });
  if (message.plain) provideKernels({ plain: message.plain });
  return run({ ...message.task, control: message.control, port });
}

addEventListener("message", ({ data }: MessageEvent<ToSimulator>) => {
  if (data.kind === "kernels") {
    provideKernels({ fastest: data.fastest });
    return;
  }
  try {
    post({ kind: "outcome", outcome: perform(data) });
  } catch (error) {
    const { message, stack } = error as Error;
    post({ kind: "error", message, stack });
  }
});
