/** One thing that is measured. Rows of a table do the same work. */
export interface Contender {
  name: string;
  run(): unknown;
}

const warmUps = 3;
/** Milliseconds of processor time that tell the mean of a run. */
const CLOCK_MS = 60;

/** The value that a share of all values, 0 to 1, does not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
}

/** The geometric mean of positive values. */
export function geometricMean(values: readonly number[]): number {
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
}

/**
 * Times contenders interleaved, A B C A B C …, so that a machine whose speed drifts is fair to all, and prints the median
 * of each and its ratio to the first.
 */
export async function compare(title: string, contenders: readonly Contender[], rounds = 31): Promise<void> {
  const times = contenders.map((): number[] => []);
  for (let round = -warmUps; round < rounds; round += 1) {
    for (const [index, { run }] of contenders.entries()) {
      const started = performance.now();
      await run();
      if (round >= 0) times[index]!.push(performance.now() - started);
    }
  }
  const medians = times.map(each => percentile(each, 0.5));
  report(
    title,
    contenders.map(({ name }, index) => [
      name,
      `${medians[index]!.toFixed(3)} ms`,
      `× ${(medians[index]! / medians[0]!).toFixed(2)}`,
    ]),
  );
}

/** Prints a table of figures. */
export function report(title: string, rows: readonly (readonly string[])[]): void {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map(row => row[column]!.length)));
  const lines = rows.map(row =>
    row
      .map((text, column) => (column ? text.padStart(widths[column]!) : text.padEnd(widths[column]!)))
      .join("  "),
  );
  process.stdout.write(`\n${title}\n${lines.map(line => `  ${line}\n`).join("")}`);
}

/** Returns the milliseconds of processor time that a run takes of this thread, the mean of as many as its clock can tell. */
export function threadTime(run: () => unknown): number {
  const used = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  };
  const start = used();
  let runs = 0;
  while (used() - start < CLOCK_MS) {
    run();
    runs++;
  }
  return (used() - start) / runs;
}
