import { formatCount, html } from "../../display/index.ts";
import type { Expectation } from "../../results/index.ts";
import { DisplayableValue } from "../values/displayable-value.ts";

/** The mean of an observable with its interval, which shows itself as `0.98 [0.93, 1.00] (at least 95%, 100 shots)`. */
export class ExpectationValue extends DisplayableValue implements Expectation {
  /** The mean; of one Pauli string from −1 to 1. */
  declare readonly value: number;
  /** Standard error of the mean, as the shots are finite; 0 when the state is computed and not sampled. */
  declare readonly standardError: number;
  /** Lower end of the interval, which contains the mean in at least 95% of all cases; the value itself when it is exact. */
  declare readonly low: number;
  /** Upper end of the interval. */
  declare readonly high: number;
  /** Shots that the mean is taken of; 0 when the result is exact. */
  declare readonly shots: number;

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
