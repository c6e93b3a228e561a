import { formatEnergy } from "../../charts/index.ts";
import {
  clipMiddle,
  code,
  formatCount,
  formatDuration,
  formatNumber,
  formatPercent,
  numbers,
  type RenderedView,
  singleLine,
  table,
} from "../../display/index.ts";
import {
  type Accuracy,
  compareEnergies,
  type Distribution,
  intervalLabel,
  intervalRule,
  type Solution,
  topOutcomes,
} from "../../results/index.ts";
import { DisplayableList } from "../values/displayable-list.ts";

/** An outcome among the likeliest. */
export interface LikelyOutcome {
  /** The outcome, as a bit string where it is one. */
  outcome: string;
  /** Count of the outcome; null for an exact result. */
  count: number | null;
  /** Share of the shots, or exact probability. */
  probability: number;
  /** Lower end of the interval of the probability, which contains it in at least 95% of all cases; null for an exact result. */
  low: number | null;
  /** Upper end of that interval; null for an exact result. */
  high: number | null;
}

/** The likeliest outcomes in descending order: an array that shows itself as a table. */
export class TopList extends DisplayableList<LikelyOutcome> {
  /** @internal */
  static override readonly noun: string = "outcomes";

  /** @internal */
  static make(values: Distribution, n: number, accuracy: Accuracy): TopList {
    const { top, outcomes, total } = topOutcomes(values, n);
    const intervalOf = intervalRule(total, { ...accuracy, chosen: top.length / Math.max(1, outcomes) });
    const rows = top.map(({ outcome, value }) => {
      const { low, high } = intervalOf?.(value) ?? { low: null, high: null };
      return { outcome, count: accuracy.exact ? null : value, probability: value / total, low, high };
    });
    return TopList.ofRows(rows, { about: outcomes });
  }

  get #caption(): string {
    return `Likeliest ${formatNumber(this.length)} of ${formatNumber(Number(this.about ?? 0))} outcomes`;
  }

  /** The likeliest outcomes in a line. */
  override toString(): string {
    const words = this.slice(0, 8).map(({ outcome, count, probability }) => {
      return `${clipMiddle(singleLine(outcome), 40)} ${count === null ? formatPercent(probability) : formatNumber(count)}`;
    });
    return `${this.#caption}: ${[...words, ...(this.length > 8 ? ["…"] : [])].join(", ")}`;
  }

  /** @internal */
  protected override render(): RenderedView {
    return table<LikelyOutcome>({
      caption: this.#caption,
      noun: "outcomes",
      rows: this,
      columns: [
        { label: "Outcome", value: row => code(row.outcome) },
        this.some(row => row.count !== null) && numbers("Count", row => formatNumber(row.count)),
        numbers("Probability", row => formatPercent(row.probability)),
        this.some(row => row.low !== null) &&
          numbers(intervalLabel, row => `${formatPercent(row.low)} to ${formatPercent(row.high)}`),
      ],
    });
  }
}

/** The solutions that an annealer found, the lowest energy first: an array that shows itself as a table. */
export class SolutionList extends DisplayableList<Solution> {
  /** @internal */
  static make(solutions: readonly Solution[]): SolutionList {
    return SolutionList.ofRows(solutions.toSorted(compareEnergies));
  }

  /** @internal */
  static override readonly noun: string = "solutions";

  /** The number of solutions and the lowest energy, in a line. */
  override toString(): string {
    const lowest = this[0]?.energy ?? null;
    const words = formatCount(this.length, "solutions");
    return lowest === null ? words : `${words}, lowest energy ${formatEnergy(lowest)}`;
  }

  /** @internal */
  protected override render(): RenderedView {
    return table<Solution>({
      caption: String(this),
      noun: "solutions",
      rows: this,
      columns: [
        numbers("Energy", ({ energy }) => (energy === null ? null : formatEnergy(energy))),
        numbers("Found", ({ occurrences }) => formatNumber(occurrences)),
        {
          label: "Constraint",
          value: ({ constraint }) => (constraint === null ? null : constraint ? "kept" : "broken"),
        },
        numbers("Time", ({ time }) => formatDuration(time === null ? null : time * 1000)),
        { label: "Spins", value: ({ spins }) => code(spinsText(spins)) },
      ],
    });
  }
}

const maxSpins = 40;

function spinsText(spins: Solution["spins"]): string {
  const names = Object.keys(spins);
  const shown = names.slice(0, maxSpins).map(name => `${singleLine(name, 24).trim()}=${spins[name]}`);
  return [...shown, ...(names.length > maxSpins ? ["…"] : [])].join(" ");
}
