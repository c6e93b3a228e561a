import {
  formatCount,
  formatCredits,
  formatNumber,
  formatValue,
  type RenderedView,
  table,
} from "../../display/index.ts";
import { quoteRun } from "../jobs/quote.ts";
import { DisplayableList } from "../values/displayable-list.ts";
import { neyman, varianceWith } from "./allocate.ts";
import type { Design } from "./assess.ts";
import type { EstimateService } from "./ledger.ts";
import { MAX_ROUNDS, Z95 } from "./rounds.ts";
import type { EstimateSettings, Mitigation } from "./settings.ts";
import { prepare } from "./work.ts";

/** A way to estimate, and what it is expected to take. */
export interface EstimatePlan {
  /** What is mitigated, such as `readout, zne`; `exact` where a simulator computes the means. */
  readonly way: string;
  /** Number of groups of terms that are measured together. */
  readonly groups: number;
  /** Programs of a round, before any is repeated. */
  readonly programs: number;
  /** Shots of all programs, at most: terms are taken to be spread as widely as they can be. */
  readonly shots: number;
  /** Quoted credits of these shots, in one job; null without a quote. */
  readonly cost: number | null;
  /** Half of the interval that follows from the shots, at 95%. */
  readonly error: number;
  /** Errors that the interval does not cover. */
  readonly omits: string;
}

/** Ways to estimate, which show themselves as a table. */
export class EstimatePlanList extends DisplayableList<EstimatePlan> {
  /** @internal */
  static override readonly noun: string = "ways";

  /** @internal */
  protected override render(): RenderedView {
    return table<EstimatePlan>({
      noun: "ways",
      rows: this,
      columns: [
        { label: "Way", value: ({ way }) => way },
        { label: "Groups", align: "right", value: ({ groups }) => formatNumber(groups) },
        { label: "Programs", align: "right", value: ({ programs }) => formatNumber(programs) },
        { label: "Shots, at most", align: "right", value: ({ shots }) => formatNumber(shots) },
        { label: "Cost", align: "right", value: ({ cost }) => (cost === null ? "—" : formatCredits(cost)) },
        {
          label: "Error (95%)",
          align: "right",
          value: ({ error }) => (error === 0 ? "0" : `± ${formatValue(Number(error.toPrecision(3)))}`),
        },
        { label: "Leaves out", value: ({ omits }) => omits },
      ],
      note: `Nothing was submitted. Terms are taken to be independent and spread as widely as possible, so fewer shots often suffice: they are split anew in up to ${formatCount(MAX_ROUNDS, "rounds")}.`,
    });
  }
}

const OMITS: { readonly [way: string]: string } = {
  none: "errors of gates and readout",
  readout: "errors of gates",
  zne: "errors of readout",
  "readout, zne": "errors that do not decay as folded gates do",
};

/** Lists ways to estimate on a device, for an error or for a number of shots. */
export async function listPlans(
  service: EstimateService,
  settings: EstimateSettings,
  deviceQrn: string,
  within: number | undefined,
): Promise<EstimatePlanList> {
  const plain = await prepare(service, { ...settings, mitigation: [] }, deviceQrn);
  if (plain.plan.isExact) {
    const request = { program: [...plain.texts], shots: 0 };
    const quote = await quoteRun(service.client, deviceQrn, request);
    const cost = quote.pricingAvailable ? quote.estimatedCost : null;
    const row = {
      way: "exact",
      groups: 0,
      programs: plain.texts.length,
      shots: 0,
      cost,
      error: 0,
      omits: "nothing",
    };
    return EstimatePlanList.from([row]) as EstimatePlanList;
  }
  const isKnown = plain.plan.design.programs.length > 0 && plain.isPlaced;
  const ways: Mitigation[][] = isKnown ? [[], ["readout"], ["readout", "zne"]] : [[]];
  const rows = await Promise.all(
    ways.map(async (mitigation): Promise<EstimatePlan> => {
      const { design, texts } = await prepare(service, { ...settings, mitigation }, deviceQrn);
      const worst = widestVariances(design);
      const asked = within === undefined ? undefined : (within / Z95) ** 2;
      const size = worst.reduce((sum, variance) => sum + Math.sqrt(variance), 0);
      const shots = asked === undefined ? (settings.shots ?? 10_000) : Math.ceil((size * size) / asked);
      const split = neyman(
        worst,
        worst.map(() => 0),
        shots,
      );
      const each = Math.min(100_000, Math.ceil(shots / texts.length));
      const program = texts.flatMap(text => new Array(Math.ceil(shots / texts.length / each)).fill(text));
      const quote = await quoteRun(service.client, deviceQrn, { program, shots: each });
      const way = mitigation.join(", ") || "none";
      return {
        way,
        groups: design.groups.length,
        programs: texts.length,
        shots,
        cost: quote.pricingAvailable ? quote.estimatedCost : null,
        error: Z95 * Math.sqrt(varianceWith(worst, split)),
        omits: OMITS[way]!,
      };
    }),
  );
  return EstimatePlanList.from(rows) as EstimatePlanList;
}

/** Returns the variance that a shot of each program adds to the widest observable, if all terms are spread as widely as they can be. */
function widestVariances({ programs, terms, groups, factors }: Design): number[] {
  const last = factors.at(-1)!;
  const slope = (factor: number) => {
    if (factors.length === 1) return 1;
    return factor === 1 ? last / (last - 1) : factor === last ? 1 / (last - 1) : 0.05;
  };
  const bySum = terms.sums.map(({ weights }) =>
    programs.map(({ kind, group, factor }) => {
      const own = kind === "calibrate" ? groups.flatMap(({ readings }) => readings) : groups[group]!.readings;
      const size = own.reduce((sum, { term }) => sum + (weights.get(term) ?? 0) ** 2, 0);
      return kind === "calibrate" ? 0.1 * size : size * slope(factor) ** 2;
    }),
  );
  return bySum.reduce((widest, variances) => {
    const total = (list: readonly number[]) => list.reduce((sum, variance) => sum + variance, 0);
    return total(variances) > total(widest) ? variances : widest;
  });
}
