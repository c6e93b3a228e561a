import { LIMITS, type Program } from "../../contract/index.ts";
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
import { type Design, Z95 } from "./assess.ts";
import { total, usualSlopes } from "./extrapolate.ts";
import { type EstimateService, type EstimateSettings, type Mitigation, prepare } from "./prepare.ts";
import { MAX_ROUNDS } from "./rounds.ts";

/** Standard error by the calibration of the readout, to that of the means that it corrects. */
const CALIBRATION_SLOPE = 0.3;

/** A way to estimate, and what it is expected to take. */
export interface EstimatePlan {
  /** Mitigated errors, such as `readout, zne`; `exact` if a simulator computes the means. */
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
  /** Errors that the interval does not cover, and what `maxCost` left out. */
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

const WAYS: readonly (readonly [readonly Mitigation[], omits: string])[] = [
  [[], "errors of gates and readout"],
  [["readout"], "errors of gates"],
  [["readout", "zne"], "errors that do not decay as folded gates do"],
];

export async function listPlans(
  service: EstimateService,
  settings: EstimateSettings,
  deviceQrn: string,
  within: number | undefined,
): Promise<EstimatePlanList> {
  const costOf = async (program: Program[], shots: number) => {
    const quote = await quoteRun(service.client, deviceQrn, { program, shots });
    return quote.pricingAvailable ? quote.estimatedCost : null;
  };
  const plain = await prepare(service, { ...settings, mitigation: [] }, deviceQrn);
  if (plain.plan.isExact) {
    const [programs, cost] = [plain.texts.length, await costOf([...plain.texts], 0)];
    const row = { way: "exact", groups: 0, programs, shots: 0, cost, error: 0, omits: "nothing" };
    return EstimatePlanList.ofRows([row]);
  }
  const rows = await Promise.all(
    WAYS.slice(0, plain.isMitigable ? 3 : 1).map(async ([mitigation, omits]): Promise<EstimatePlan> => {
      const { design, texts, leftOut } = await prepare(service, { ...settings, mitigation }, deviceQrn);
      const size = widestSpread(design);
      const shots =
        within === undefined ? (settings.shots ?? 10_000) : Math.ceil(((Z95 * size) / within) ** 2);
      const each = Math.ceil(shots / texts.length);
      const jobs = Math.ceil(each / LIMITS.maxShots);
      const program = texts.flatMap(text => new Array<Program>(jobs).fill(text));
      return {
        way: mitigation.join(", ") || "none",
        groups: design.groups.length,
        programs: texts.length,
        shots,
        cost: await costOf(program, Math.ceil(each / jobs)),
        error: (Z95 * size) / Math.sqrt(shots),
        omits: [omits, ...leftOut].join(", "),
      };
    }),
  );
  return EstimatePlanList.ofRows(rows);
}

/** Returns the standard error that one shot leaves of the widest observable, if all terms spread as widely as they can. */
export function widestSpread({ terms, groups, points, factors, flips }: Design): number {
  const slopes = usualSlopes(factors.map(factor => ({ factor })));
  const spreads = terms.sums.map(({ weights }) => {
    const sizes = groups.map(({ readings }) =>
      Math.hypot(...readings.map(({ term }) => weights.get(term) ?? 0)),
    );
    const calibration = flips ? CALIBRATION_SLOPE * Math.hypot(...weights.values()) : 0;
    return calibration + points * total(sizes) * total(slopes.map(Math.abs));
  });
  return Math.max(...spreads);
}
