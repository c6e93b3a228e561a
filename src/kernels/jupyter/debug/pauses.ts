import type { Debugger, Runtime } from "node:inspector";
import type { Breakpoints } from "./breakpoints.ts";
import { type Frame, framesOf } from "./frames.ts";
import { callCells, type Inspector } from "./inspector.ts";
import type { Scripts } from "./scripts.ts";

/** A program that is stopped. */
export interface Stop {
  reason: "breakpoint" | "exception" | "step" | "pause";
  frames: readonly Frame[];
  /** The breakpoints that were reached. */
  breakpoints: readonly number[];
  exception?: (Runtime.RemoteObject & { uncaught?: boolean }) | undefined;
}

/** How a program is to run on. */
export type Resumption = "resume" | "stepOver" | "stepInto" | "stepOut";

/** Where the program is stopped, and how it runs on. */
export interface Pauses {
  /** The stop that the program is in. */
  current(): Stop | undefined;
  resume(how: Resumption): Promise<void>;
  /** Stops the program where it is. */
  pause(): Promise<void>;
  /** Does some work while nothing stops the program. One that is stopped is terminated. */
  without<T>(work: () => Promise<T>): Promise<T>;
}

/** What pauses are told by and to. */
export interface PauseParts {
  inspector: Inspector;
  scripts: Scripts;
  breakpoints: Breakpoints;
  stopped(stop: Stop): void;
  continued(): void;
}

const EXCEPTIONS = new Set(["exception", "promiseRejection"]);

/** Follows the pauses that an inspector tells of: those in cells and modules are stops, all others are passed over. */
export function openPauses({ inspector, scripts, breakpoints, stopped, continued }: PauseParts): Pauses {
  let stop: Stop | undefined;
  let last: Resumption = "resume";
  /** Where the step began that the program takes. */
  let begun: Stop | undefined;
  let passing = false;
  let asked = false;
  let frames = 0;

  async function pause(event: Debugger.PausedEventDataType): Promise<void> {
    const [top] = event.callFrames;
    if (!top || passing) return runOn(passing ? "resume" : last);
    const script = await scripts.get(top.location.scriptId);
    if (event.reason === "instrumentation") {
      if (script) await breakpoints.place(script);
      return runOn("resume");
    }
    const isException = EXCEPTIONS.has(event.reason);
    const found = await framesOf(event, scripts, () => {
      frames += 1;
      return frames;
    });
    const isInside = found[0]?.call === top || isException;
    if (!found[0]?.call || !isInside) return runOn(last === "resume" ? "resume" : script ? last : "stepOut");
    if (isStep(event) && begun && isOnward(begun, found)) return runOn(last);
    const reached = breakpoints.named(event.hitBreakpoints ?? []);
    stop = {
      reason: isException
        ? "exception"
        : asked
          ? "pause"
          : reached[0] || last === "resume"
            ? "breakpoint"
            : "step",
      frames: found,
      breakpoints: reached,
      exception: isException ? (event.data as Stop["exception"]) : undefined,
    };
    asked = false;
    await callCells(inspector, "flush").catch(() => undefined);
    stopped(stop);
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
    async resume(how) {
      if (!stop) throw new Error("Nothing is stopped here.");
      last = how;
      begun = stop;
      await runOn(how);
    },
    async pause() {
      asked = true;
      await inspector.ask("Debugger.pause");
    },
    async without(work) {
      passing = true;
      last = "resume";
      await inspector.ask("Debugger.setSkipAllPauses", { skip: true });
      if (stop) await runOn("resume");
      try {
        return await work();
      } finally {
        passing = false;
        await inspector.ask("Debugger.setSkipAllPauses", { skip: false });
      }
    },
  };
}

const isStep = ({ reason, hitBreakpoints = [] }: Debugger.PausedEventDataType) =>
  reason !== "debugCommand" && !EXCEPTIONS.has(reason) && hitBreakpoints.length === 0;

/** Whether a step has led to a later place of the line that it began in, and no further. */
function isOnward(begun: Stop, [top]: readonly Frame[]): boolean {
  const [before] = begun.frames;
  const [from, to] = [before?.call?.location, top?.call?.location];
  if (!before || !top || !from || !to) return false;
  if (from.scriptId !== to.scriptId || before.line !== top.line || before.name !== top.name) return false;
  return (
    to.lineNumber - from.lineNumber > 0 ||
    (to.lineNumber === from.lineNumber && (to.columnNumber ?? 0) >= (from.columnNumber ?? 0))
  );
}
