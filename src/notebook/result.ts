import { type Chart, type HistogramOptions, histogram } from "../charts/index.ts";
import type { RuntimeJob } from "../contract/job.ts";
import type { RuntimeResult } from "../contract/result.ts";
import { displayMetadata, jupyterDisplay, type MimeBundle } from "../display/bundle.ts";
import { formatCredits, formatDuration } from "../display/index.ts";
import { probabilitiesOf } from "../results/index.ts";
import { Shown } from "./shown.ts";

/** What a program gave. It shows itself as a histogram. */
export class Result extends Shown {
  /** Bit string to how often it was seen; the last declared bit is on the left. Empty for an exact run. */
  readonly counts: Readonly<Record<string, number>>;
  /** Repetitions; 0 for an exact run. */
  readonly shots: number;
  /** Credits that the job did cost. */
  readonly cost: number | null;
  /** Milliseconds that the job ran. */
  readonly duration: number | null;
  /** The record of the job that gave this result. */
  readonly job: Readonly<RuntimeJob>;
  readonly #record: RuntimeResult;
  #chart: Chart | undefined;

  /** @internal */
  constructor(record: RuntimeResult, job: RuntimeJob) {
    super();
    this.#record = record;
    this.job = job;
    this.counts = record.resultData.measurementCounts ?? {};
    this.shots = job.shots;
    this.cost = record.cost ?? job.cost;
    this.duration = record.timeStamps.executionDuration ?? job.timeStamps.executionDuration;
  }

  /** Bit string to probability: exact for an exact run, otherwise the share of the shots. */
  get probabilities(): Readonly<Record<string, number>> {
    return this.#record.resultData.measurementProbabilities ?? probabilitiesOf(this.counts);
  }

  /** One bit string a shot, in order; only when the run asked for `{ memory: true }`. */
  get measurements(): readonly string[] | null {
    return this.#record.resultData.measurements ?? null;
  }

  /** Amplitudes, real and imaginary parts in turn; only when an exact run asked for `{ statevector: true }`. */
  get statevector(): readonly number[] | null {
    return this.#record.resultData.statevector ?? null;
  }

  /** Draws the result as bars. */
  histogram(options?: HistogramOptions): Chart {
    const details = [
      this.job.deviceQrn,
      this.cost === null ? "" : formatCredits(this.cost),
      this.duration === null ? "" : formatDuration(this.duration),
    ];
    const exact = this.#record.resultData.measurementProbabilities;
    return histogram(
      {
        shots: this.shots,
        details: details.filter(Boolean),
        ...(exact ? { probabilities: exact } : { counts: this.counts }),
        ...(this.job.name ? { title: this.job.name } : {}),
      },
      options,
    );
  }

  /** The result as the service gave it. */
  toJSON(): RuntimeResult {
    return this.#record;
  }

  [jupyterDisplay](): MimeBundle {
    return this.#picture()[jupyterDisplay]();
  }

  /** @internal */
  [displayMetadata](): MimeBundle {
    return this.#picture()[displayMetadata]();
  }

  #picture(): Chart {
    this.#chart ??= this.histogram();
    return this.#chart;
  }
}
