import type { Chart } from "../../charts/index.ts";
import { rethrowAsKetbookError } from "../../client/index.ts";
import type { ObservableExpectation } from "../../contract/index.ts";
import {
  type Displayable,
  displayable,
  formatCount,
  formatValue,
  html,
  type RenderedView,
  singleLine,
  table,
} from "../../display/index.ts";
import {
  type Expectation,
  intervalWords,
  type Observable,
  simulatedExpectation,
} from "../../results/index.ts";
import type { Inputs } from "../programs/inputs.ts";
import { DisplayableList } from "../values/displayable-list.ts";
import { DisplayableValue } from "../values/displayable-value.ts";
import { chartOrTable, inputColumns, sweepChart, sweptInputs } from "./sweep-chart.ts";

/** The mean of an observable with its interval, which shows itself as `0.98 [0.93, 1.00] (at least 95%, 100 shots)`. */
export interface ExpectationValue extends Readonly<Expectation> {}

// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the constructor copies every field
export class ExpectationValue extends DisplayableValue {
  /** @internal */
  constructor(expectation: Expectation) {
    super();
    Object.assign(this, expectation);
  }

  /** The mean, its interval and the shots, in a line. */
  override toString(): string {
    const { value, low, high, shots } = this;
    if (low === high && shots === 0) return `${Number(value.toPrecision(6))} (exact)`;
    const digits = Math.min(12, Math.max(2, -Math.floor(Math.log10((high - low) / 2 || 1))));
    const [mean, from, to] = [value, low, high].map(number => number.toFixed(digits));
    const source = shots > 0 ? formatCount(shots, "shots") : "approximate";
    return `${mean} [${from}, ${to}] (at least 95%, ${source})`;
  }

  /** @internal */
  protected override render() {
    const text = this.toString();
    return { html: html`<span>${text}</span>`.toString(), text };
  }
}

/** The mean of an observable in one result, with the values of the program's inputs, by name. */
export interface ExpectationRow extends Expectation {
  /** Place of the result's program in its batch, from 0. */
  readonly program: number;
  /** The observable. */
  readonly observable: string;
  /** The value of an input; of one that has the name of another column, as `input.count`. */
  readonly [input: string]: unknown;
}

/** Maximum error of a mean in single precision. */
const ROUNDING = 1e-4;

const ownColumns = ["program", "observable", "value", "standardError", "low", "high", "shots"];

/**
 * The means of observables, which show themselves over the inputs of a batch's sweep: as lines with the bands of their
 * intervals, or as heatmaps; those of one result as a table.
 */
export class ExpectationList extends DisplayableList<ExpectationRow> {
  /** @internal Makes a list of means that a simulator computed in the final states. */
  static simulated(rows: Iterable<ExpectationRow>): ExpectationList {
    return ExpectationList.ofRows(rows, { about: "simulated" });
  }

  /** @internal */
  static override readonly noun: string = "means";

  get #source(): string {
    if (this.about !== "simulated") return "";
    const most = Math.max(0, ...this.map(({ shots }) => shots));
    const drawn = most > 0 ? `from up to ${formatCount(most, "shots")}` : "no shots used";
    return `computed in the final states, before readout errors; ${drawn}`;
  }

  /** Draws the means over the inputs that were swept. */
  chart(): Chart {
    const inputs = sweptInputs(this.map(inputsOf));
    const names = [...new Set(this.map(({ observable }) => observable))];
    const reach = Math.max(1, ...this.flatMap(({ low, high }) => [Math.abs(low), Math.abs(high)]));
    const exact = this.every(({ low, high }) => low === high);
    const joined = names.join(", ");
    const title = names.length > 1 && joined.length > 60 ? `${names.length} observables` : joined;
    return sweepChart(this, inputs, {
      value: "value",
      ...(names.length > 1 && { series: "observable" }),
      ...(reach < 1 + ROUNDING && { domain: [-1, 1] as const }),
      title: `Mean of ${singleLine(title, 60)}`,
      subtitle: [formatCount(this.#programs, "results"), this.#source].filter(Boolean).join(" · "),
      intervals: exact ? "exact" : intervalWords,
    });
  }

  /** The means as a table. */
  table(): Displayable & RenderedView {
    const source = this.#source;
    const form = table<ExpectationRow>({
      ...(source && { caption: `Means, ${source}` }),
      noun: "means",
      rows: this,
      columns: ["program", ...Object.keys(inputsOf(this[0] ?? {})), ...ownColumns.slice(1)].map(name => ({
        label: name,
        align: "decimal" as const,
        value: row => formatValue(row[name]),
      })),
    });
    return displayable(form);
  }

  get #programs(): number {
    return new Set(this.map(({ program }) => program)).size;
  }

  /** @internal */
  protected override render(): Displayable {
    return this.#programs < 2 ? this.table() : chartOrTable(this);
  }
}

function inputsOf(row: object) {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !ownColumns.includes(name)));
}

type Means = readonly ObservableExpectation[];
type Simulated = { parameters: Inputs; simulatedExpectations: Means };

export const observableName = (observable: Observable): string =>
  typeof observable === "string" ? observable : JSON.stringify(observable);

/** The expectation values that a simulator computed for one program. */
export const meansOf = (means: Means) =>
  means.map(({ observable, variance, ...mean }) => ({
    observable: observableName(observable),
    ...rethrowAsKetbookError("expectations", () => ({
      ...simulatedExpectation(observable, { ...mean, variance }),
      ...mean,
    })),
  }));

/** The expectation values that simulators computed, with the values of each program's inputs. */
export function expectationRows(results: Iterable<Simulated>): ExpectationRow[] {
  const all = [...results];
  const runs = inputColumns(all.map(({ parameters }) => parameters));
  return all.flatMap(({ simulatedExpectations }, program) =>
    meansOf(simulatedExpectations).map(mean => ({ program, ...runs[program], ...mean })),
  );
}

/** The means of a result, in a line: `ZZ 1, XX 0.5`. */
export const meansLine = (means: Means): string =>
  singleLine(
    means.map(each => `${observableName(each.observable)} ${formatValue(each.value)}`).join(", "),
    120,
  );
