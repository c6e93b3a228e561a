import { lowerPriority, sha256 } from "#host";
import {
  CancelledError,
  type Circuit,
  compile,
  drawText,
  EstimateExceededError,
  LimitExceededError,
  MemoryLimitError,
  type Method,
  ProgramError,
  printCompiled,
  SimulationError,
  targetOf,
  transpile,
} from "../../simulation/index.ts";
import { checkEstimate, simulateOn } from "./engine.ts";
import {
  type LimitName,
  type PrintOutcome,
  type PrintTask,
  type ProgressPort,
  type RunOutcome,
  type RunTask,
  stopSignal,
  type TargetTask,
  timeLimit,
} from "./messages.ts";
import {
  checkQuantumTime,
  DeviceTimeError,
  figuresOf,
  quantumTime,
  toResultData,
  unpackedGrowth,
} from "./result-data.ts";

const MAX_RESULT_LENGTH = 64 * 1024 * 1024;

/** The service's own thread goes first. */
lowerPriority();

/** Runs a job within its limits: first compiles every program, then simulates one after the other. */
export function run(task: RunTask): RunOutcome {
  const { limits, control, port } = task;
  port.postMessage(-1);
  const signal = control ? stopSignal(control) : { aborted: false };
  const deadline = performance.now() + limits.seconds * 1000;
  let started: number | undefined;
  const elapsed = () => (started === undefined ? null : Math.round((performance.now() - started) * 1000));
  let index = 0;
  try {
    const fitted = fitting(task.target);
    const circuits = task.programs.map((program, at) => {
      index = at;
      if (signal.aborted) throw new CancelledError();
      if (performance.now() > deadline)
        throw new LimitExceededError("The job was stopped while it was compiled.");
      return fitted(compile(program, task.compileOptions));
    });
    started = performance.now();
    circuits.forEach((circuit, at) => {
      index = at;
      checkEstimate(task, circuit, signal);
    });
    const progress = startProgress(port, circuits.length);
    const texts: string[] = [];
    const methods: Method[] = [];
    const durations: number[] = [];
    const shotDurations: number[] = [];
    let spent = 0;
    let length = 0;
    for (const circuit of circuits) {
      index = texts.length;
      const seed = programSeed(task.seed, index);
      const onProgress = (fraction: number) => progress(index + fraction);
      const maxMilliseconds = Math.max(1, Math.round(deadline - performance.now()));
      const outcome = simulateOn(task, circuit, { seed, signal, onProgress, maxMilliseconds });
      const data = toResultData(circuit, outcome, task);
      const text = JSON.stringify(data);
      length += text.length + unpackedGrowth(data, outcome, task);
      if (length > MAX_RESULT_LENGTH) throw new ResultTooLongError(RESULT_TOO_LONG);
      texts.push(text);
      methods.push(outcome.method);
      const until = elapsed() ?? 0;
      const { shotDuration } = outcome;
      durations.push(shotDuration === undefined ? until - spent : quantumTime(task, index, shotDuration));
      if (shotDuration !== undefined) {
        shotDurations.push(shotDuration);
        checkQuantumTime(durations);
      }
      spent = until;
      progress(texts.length);
    }
    return {
      kind: "completed",
      results: texts.join("\n"),
      durations,
      figures: figuresOf(circuits, methods, shotDurations),
      methods,
    };
  } catch (error) {
    if (error instanceof CancelledError) return { kind: "cancelled" };
    const limit = limitOf(error, deadline);
    const isOverdue = limit === "time" && error instanceof LimitExceededError;
    const message = explain(error, task.programs, index) + (isOverdue ? ` ${timeLimit(limits)}` : "");
    const diagnostics = error instanceof ProgramError ? error.diagnostics : undefined;
    return {
      kind: "failed",
      message,
      microseconds: elapsed(),
      ...(diagnostics ? { diagnostics } : {}),
      ...(limit ? { limit } : {}),
      ...(error instanceof MemoryLimitError && error.requiredBytes !== undefined
        ? { requiredBytes: error.requiredBytes }
        : {}),
    };
  } finally {
    port.close();
  }
}

/** Returns the function that transpiles a program for a device, or leaves it as it is. */
function fitting(task: TargetTask | null): (circuit: Circuit) => Circuit {
  if (!task) return circuit => circuit;
  const { topology, calibration, optimizationLevel, initialLayout, verbatim } = task;
  const target = targetOf(topology, calibration);
  const options = {
    ...(optimizationLevel === undefined ? {} : { optimizationLevel }),
    ...(initialLayout ? { initialLayout } : {}),
    ...(verbatim ? { verbatim } : {}),
  };
  return circuit => transpile(circuit, target, options).circuit;
}

/** Returns the limit that an error means, or `undefined`. */
function limitOf(error: unknown, deadline: number): LimitName | undefined {
  if (error instanceof ResultTooLongError) return "result";
  if (error instanceof EstimateExceededError || error instanceof DeviceTimeError) return "time";
  if (error instanceof LimitExceededError) return performance.now() >= deadline - 1 ? "time" : "operations";
  return isOutOfMemory(error) ? "memory" : undefined;
}

function isOutOfMemory(error: unknown): boolean {
  if (error instanceof MemoryLimitError) return true;
  return error instanceof RangeError && /memory|allocation|array length|string length/i.test(error.message);
}

class ResultTooLongError extends SimulationError {
  override name = "ResultTooLongError";
}

const PROGRESS_INTERVAL_MS = 200;

/** Reports that the programs run, and returns a function that reports from time to time how many of them are done. */
function startProgress(port: ProgressPort, programs: number): (done: number) => void {
  port.postMessage(0);
  let last = performance.now();
  return done => {
    const now = performance.now();
    if (!Number.isInteger(done) && now - last < PROGRESS_INTERVAL_MS) return;
    last = now;
    port.postMessage(done / programs);
  };
}

/** Draws programs as plain text, or writes them as they were compiled. */
export function print({ target, programs, compileOptions, compiled, port }: PrintTask): PrintOutcome {
  port.postMessage(-1);
  let index = 0;
  try {
    const fitted = fitting(target);
    const texts = programs.map((program, at) => {
      index = at;
      const circuit = fitted(compile(program, compileOptions));
      return compiled ? printCompiled(circuit, compiled[at]!) : drawText(circuit, { ascii: true });
    });
    return { kind: "printed", texts };
  } catch (error) {
    return { kind: "failed", message: explain(error, programs, index) };
  } finally {
    port.close();
  }
}

const RESULT_TOO_LONG = `The results are longer than ${MAX_RESULT_LENGTH} characters. Run fewer programs, or fewer shots, in one job.`;

/** Returns why a run failed, for the program's author; an error of our own is thrown again. */
function explain(error: unknown, programs: readonly unknown[], index: number): string {
  if (error instanceof RangeError && isOutOfMemory(error)) {
    return "The machine lacks the memory for this program.";
  }
  if (!(error instanceof ProgramError || error instanceof SimulationError)) throw error;
  return programs.length > 1 ? `program ${index}: ${error.message}` : error.message;
}

/**
 * Derives the seed of a program of a batch from the job's. That of program 0 is the job's own seed; that of program k
 * is the first 53 bits of the SHA-256 of `<seed>:<k>`, as a whole number. So each program draws from a random stream
 * of its own, which is the same wherever and whenever it runs, also alone under that seed.
 */
export function programSeed(jobSeed: number, index: number): number {
  if (index === 0) return jobSeed;
  const { buffer, byteOffset } = sha256(`${jobSeed}:${index}`);
  return Number(new DataView(buffer, byteOffset).getBigUint64(0) >> 11n);
}
