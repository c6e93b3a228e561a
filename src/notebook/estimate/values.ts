import { simulatedExpectation } from "../../results/index.ts";
import type { Inputs } from "../programs/inputs.ts";
import { observableName } from "../results/expectation-list.ts";
import type { Assessment, Design, TermMean } from "./assess.ts";
import type { KeptPlan, ProgramOutcomes } from "./prepare.ts";
import { total } from "./rounds.ts";

/**
 * Verdict on an estimate: `resolved`, a value whose interval follows from the shots; `partly bounded`, where some terms
 * only have bounds; `beyond reach`, where most of it does; `methods disagree`, where noise does not decay as it should.
 */
export type EstimateVerdict = "resolved" | "partly bounded" | "beyond reach" | "methods disagree";

/** The mean of an observable at one point. */
export interface EstimatedValue {
  /** The number of the program, or of the set of inputs, from 0. */
  readonly point: number;
  /** The inputs of the point. */
  readonly inputs: Inputs;
  /** The observable, such as `Z0 + 0.5*X0 X1`. */
  readonly observable: string;
  /** The mean, errors of the device removed as far as was asked for. */
  readonly value: number;
  /** Lower end of the interval, at 95%. */
  readonly low: number;
  /** Upper end of the interval. */
  readonly high: number;
  /** Standard error, as the shots are finite. */
  readonly standardError: number;
  /** Part of half the interval that more shots make smaller: 1.96 standard errors. */
  readonly statistical: number;
  /** The other part: bounds of terms that can't be extrapolated, and doubt in the others. */
  readonly systematic: number;
  /** The mean of the outcomes as they are. */
  readonly raw: number;
  /** Standard error of `raw`. */
  readonly rawError: number;
  /** Shots of all programs of the estimate; 0 where a simulator computed the mean. */
  readonly shots: number;
  /** Judgement of how far the errors could be removed. */
  readonly verdict: EstimateVerdict;
}

/** A term of an estimate: what it gave, and how. */
export interface EstimatedTerm {
  /** Number of the program, or of the set of inputs, from 0. */
  readonly point: number;
  /** The term, such as `X0 X1`. */
  readonly term: string;
  /** Number of the group that it is measured in. */
  readonly group: number;
  /** Its mean, without its coefficient. */
  readonly value: number;
  /** Standard error of the mean. */
  readonly standardError: number;
  /** Half of the width of its bound; 0 where it has a standard error. */
  readonly bound: number;
  /** Method: measured, fitted by an exponential, bounded by the likelihood, or no decay fits. */
  readonly kind: "measured" | "fitted" | "bounded" | "misfit";
  /** Its mean at each noise factor, readout errors corrected as far as was asked for. */
  readonly means: readonly { readonly factor: number; readonly mean: number; readonly error: number }[];
}

/** A round of an estimate: a job. */
export interface EstimatedRound {
  /** Number of the round, from 1. */
  readonly round: number;
  /** Resource name of its job. */
  readonly jobQrn: string;
  /** Number of its programs. */
  readonly programs: number;
  /** Shots of all its programs. */
  readonly shots: number;
  /** Credits; null where the service does not say. */
  readonly cost: number | null;
  /** The means after this round. */
  readonly values: readonly EstimatedValue[];
}

/** Returns the means that a simulator computed; undefined where it computes none. */
export function computedValues(
  results: readonly ProgramOutcomes[],
  { settings: { observables, inputs } }: KeptPlan,
): EstimatedValue[] | undefined {
  const values = results.flatMap(({ simulatedExpectations }, point) =>
    simulatedExpectations.map(({ observable, variance, ...mean }, sum): EstimatedValue => {
      const exact = simulatedExpectation(observable, { ...mean, variance });
      const { value, low, high, standardError, shots } = { ...exact, ...mean };
      return {
        point,
        inputs: inputs[point] ?? {},
        observable: observableName(observables[sum]!),
        value,
        low,
        high,
        standardError,
        statistical: (high - low) / 2,
        systematic: 0,
        raw: value,
        rawError: standardError,
        shots,
        verdict: "resolved",
      };
    }),
  );
  return values.length === results.length * observables.length ? values : undefined;
}

/** Returns the means of the outcomes so far, from their assessment. */
export function measuredValues(
  { sums, terms, shots: each }: Assessment,
  design: Design,
  { settings: { observables, inputs } }: KeptPlan,
): EstimatedValue[] {
  const shots = total(each);
  return sums.map(({ point, sum, bound: _, doubt: __, variances: ___, ...mean }) => {
    const { weights } = design.terms.sums[sum]!;
    const own = terms.filter(term => term.point === point && weights.has(term.term));
    const verdict = verdictOf(own, weights, mean.statistical);
    const observable = observableName(observables[sum]!);
    return { point, inputs: inputs[point] ?? {}, observable, ...mean, shots, verdict };
  });
}

function verdictOf(
  terms: readonly TermMean[],
  weights: ReadonlyMap<number, number>,
  statistical: number,
): EstimateVerdict {
  const sizeOf = ({ term }: TermMean) => Math.abs(weights.get(term)!);
  const bounded = total(terms.filter(({ kind }) => kind === "bounded").map(sizeOf));
  if (bounded > 0.5 * total(terms.map(sizeOf))) return "beyond reach";
  const misfits = terms.filter(({ kind }) => kind === "misfit");
  if (total(misfits.map(term => sizeOf(term) * term.bound)) > statistical) return "methods disagree";
  return bounded > 0 ? "partly bounded" : "resolved";
}
