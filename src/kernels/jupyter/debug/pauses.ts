import type { Debugger, Runtime } from "node:inspector";
import type { Breakpoints } from "./breakpoints.ts";
import { type Frame, framesOf } from "./frames.ts";
import { callCells, type Inspector } from "./inspector.ts";
import type { Scripts } from "./scripts.ts";

export interface Stop {
  reason: "breakpoint" | "exception" | "step" | "pause";
  frames: readonly Frame[];
  /** Number of frames of any kind on the stack. */
  depth: number;
  breakpoints: readonly number[];
  exception?: (Runtime.RemoteObject & { uncaught?: boolean }) | undefined;
}

export type Resumption = "resume" | "stepOver" | "stepInto" | "stepOut";

interface PauseParts {
  inspector: Inspector;
  scripts: Scripts;
  breakpoints: Breakpoints;
  /** Whether an exception that is thrown in a frame is handled there. */
  isHandled(frame: Frame): boolean;
  stopped(stop: Stop): void;
  continued(): void;
}

const EXCEPTIONS = new Set(["exception", "promiseRejection"]);

/** Follows the pauses that an inspector tells of: those in cells and modules are stops, all others are passed over. */
export function openPauses({ inspector, scripts, breakpoints, isHandled, stopped, continued }: PauseParts) {
  let stop: Stop | undefined;
  let last: Resumption = "resume";
  let begun: Stop | undefined;
  let passing = false;
  let asked = false;
  let handledToo = false;
  let frames = 0;

  async function pause(event: Debugger.PausedEventDataType): Promise<void> {
    const [top] = event.callFrames;
    if (!top || passing) return runOn(passing ? "resume" : last);
    const script = await scripts.get(top.location.scriptId);
    if (event.reason === "instrumentation") {
      if (script) await breakpoints.place(script);
      return runOn("resume");
    }
    const found = await framesOf(event, scripts, () => {
      frames += 1;
      return frames;
    });
    if (passing) return runOn("resume");
    const exception = EXCEPTIONS.has(event.reason) ? exceptionOf(event, found) : undefined;
    // Exceptions come from anywhere; a step leads through the kernel's own code to the next of the user's.
    if (!found[0]?.call || (found[0].call !== top && !exception))
      return runOn(last === "resume" || script ? last : "stepOut");
    const isOver = exception
      ? !exception.uncaught && !handledToo
      : !asked &&
        event.reason === "step" &&
        (last === "resume" || (begun && isSameLine(begun, event, found)));
    if (isOver) return runOn(last);
    const reached = breakpoints.named(event.hitBreakpoints ?? []);
    const led = last === "resume" || reached.length > 0 ? "breakpoint" : "step";
    const reason = exception ? "exception" : asked ? "pause" : led;
    asked = false;
    stop = { reason, frames: found, depth: event.callFrames.length, breakpoints: reached, exception };
    await callCells(inspector, "flush").catch(() => undefined);
    stopped(stop);
  }

  /** The engine treats all awaited promises as handled: only the source tells. */
  function exceptionOf({ data }: Debugger.PausedEventDataType, found: readonly Frame[]): Stop["exception"] {
    const exception = data as NonNullable<Stop["exception"]>;
    return { ...exception, uncaught: exception.uncaught || !found.some(isHandled) };
  }

  async function runOn(how: Resumption): Promise<void> {
    await inspector.ask(`Debugger.${how}`, passing ? { terminateOnResume: true } : {});
  }

  inspector.on<Debugger.PausedEventDataType>("Debugger.paused", event => {
    // A pause that can't be understood must not hold the program.
    pause(event).catch(() => runOn("resume").catch(() => undefined));
  });
  inspector.on("Debugger.resumed", () => {
    if (!stop) return;
    stop = undefined;
    continued();
  });

  return {
    current: () => stop,
    async resume(how: Resumption) {
      if (!stop) throw new Error("Nothing is paused here.");
      last = how;
      begun = stop;
      await runOn(how);
    },
    /** Whether exceptions that the program handles stop it, too. */
    stopAtHandled(wanted: boolean) {
      handledToo = wanted;
    },
    /** Makes a step that has not ended lead nowhere: what it began in has. */
    endStep() {
      if (!stop) last = "resume";
    },
    async pause() {
      asked = true;
      await inspector.ask("Debugger.pause");
    },
    /** Forgets a stop that has ended unheard. */
    reset() {
      stop = undefined;
      last = "resume";
    },
    /** Does some work while nothing stops the program. One that is stopped is terminated. */
    async without<T>(work: () => Promise<T>): Promise<T> {
      passing = true;
      last = "resume";
      // The other thread hears this later if it is busy outside of JavaScript.
      const skip = (wanted: boolean) =>
        inspector.ask("Debugger.setSkipAllPauses", { skip: wanted }).catch(() => undefined);
      void skip(true);
      if (stop) await runOn("resume");
      try {
        return await work();
      } finally {
        passing = false;
        void skip(false);
      }
    },
  };
}

/** Whether a step has not left the line, and the call, that it began in. */
function isSameLine(
  begun: Stop,
  { callFrames }: Debugger.PausedEventDataType,
  [top]: readonly Frame[],
): boolean {
  const [before] = begun.frames;
  if (callFrames.length > begun.depth || before?.line !== top?.line || before?.name !== top?.name)
    return false;
  return before?.call?.location.scriptId === top?.call?.location.scriptId;
}
