import type { ElementaryGate, Numbers } from "../circuit/gate.ts";
import { DELAY } from "../circuit/timing-markers.ts";
import { memoized, remembered } from "../memoized.ts";
import type { NoiseRule, NoiseRules, RuleChannel } from "../noise-rules.ts";
import { hazardOf } from "../sampling/draws.ts";
import { type GateNoise, isVirtual, NO_NOISE, type NoiseOfGates, relaxationOf } from "./gate-noise.ts";
import { factorOperator, isUnitary, type JumpOperator, jumpSite } from "./jumps.ts";
import { composed, type ReducedChannel, reducedChannel, twirlOf, widthOf } from "./kraus.ts";
import { namesOf, ruleName } from "./operation-markers.ts";

/** The noise of rules, as simulators need it: of each gate, and in general. */
interface RuleNoise {
  readonly noiseOf: NoiseOfGates;
  readonly isPauli: boolean;
  /** Whether any jump of a pair is not a mixture of unitary gates. */
  readonly needsPairs: boolean;
  /** Rules that have acted since the begin of a run. */
  readonly acted: ReadonlySet<NoiseRule>;
  begin(): void;
}

export const ruleNoiseOf = memoized(({ rules, isTwirled = false }: NoiseRules): RuleNoise => {
  const steps: (readonly NoiseStep[])[] = [];
  const stepsAfter = (rule: number, numQubits: 1 | 2): readonly NoiseStep[] => {
    steps[2 * rule + numQubits] ??= stepsOf(rules[rule]!.channels, numQubits, isTwirled);
    return steps[2 * rule + numQubits]!;
  };
  const everyStep = (test: (step: NoiseStep) => boolean): boolean =>
    rules.every(({ numQubits }, rule) =>
      ([1, 2] as const).every(width => width !== (numQubits ?? width) || stepsAfter(rule, width).every(test)),
    );
  const keys = rules.map(({ qubits }) => qubits && new Set(qubits.map(keyOf)));
  const names = rules.map(({ gates }) => gates && new Set(gates.map(ruleName)));
  const acted = new Set<NoiseRule>();
  const last = (places: readonly number[], gate?: ElementaryGate) =>
    rules.findLastIndex(({ numQubits = places.length }, rule) => {
      if (numQubits !== places.length || !(keys[rule]?.has(keyOf(places)) ?? true)) return false;
      const own = names[rule];
      return own
        ? gate !== undefined && namesOf(gate).some(name => own.has(name))
        : !gate || !isVirtual(gate);
    });
  let known = new WeakMap<ElementaryGate, Map<number | string, GateNoise>>();
  const find = (gate: ElementaryGate, places: readonly number[], time: number): GateNoise => {
    const rule = last(places, gate);
    const isDirect = places.length === 1 || (places.length === 2 && gate.kind !== "swap");
    if (rule >= 0 && (isDirect || names[rule])) {
      acted.add(rules[rule]!);
      if (gate === DELAY) return noiseOfSteps(stepsOf(timed(rules[rule]!, time), 1, isTwirled), places);
      return noiseOfSteps(stepsAfter(rule, places.length === 1 ? 1 : 2), places);
    }
    if (isDirect) return NO_NOISE;
    const times = places.length > 2 ? 2 : 3;
    const onPair = (pair: readonly number[]) => {
      const own = last(pair);
      if (own >= 0) acted.add(rules[own]!);
      return own < 0 ? [] : new Array<GateNoise>(times).fill(noiseOfSteps(stepsAfter(own, 2), pair));
    };
    return pairsOf(places).flatMap(onPair).flat();
  };
  return {
    acted,
    begin() {
      acted.clear();
      known = new WeakMap();
    },
    get isPauli() {
      return everyStep(({ channel }) => channel.kind === "pauli");
    },
    get needsPairs() {
      return !everyStep(({ width, factored }) => width === 1 || factored.every(isUnitary));
    },
    noiseOf(gate, qubits, first, params, at) {
      const count = gate.numQubits;
      if (count === 0) return NO_NOISE;
      const own = remembered(known, gate, () => new Map());
      const pair = count === 2 ? qubits[first + 1]! + 1 : 0;
      const time = gate === DELAY ? (params[at] ?? Number.POSITIVE_INFINITY) : 0;
      let key: number | string = qubits[first]! + pair * MAX_QUBITS;
      if (count > 2) for (let i = 1; i < count; i++) key = `${key},${qubits[first + i]!}`;
      else if (gate === DELAY) key = `${key} ${time}`;
      let noise = own.get(key);
      if (!noise) {
        noise = find(gate, placesOf(qubits, first, count), time);
        own.set(key, noise);
      }
      return noise;
    },
  };
});

/** Qubits that keys of pairs tell apart. */
const MAX_QUBITS = 2 ** 24;

const placesOf = (qubits: Numbers, first: number, count: number): number[] =>
  Array.from({ length: count }, (_, i) => qubits[first + i]!);

/** Returns the channels of a rule after a delay, for which relaxation without a time lasts. */
const timed = ({ channels }: NoiseRule, delay: number): RuleChannel[] =>
  channels.map(one => (one.channel === "thermal_relaxation" ? { ...one, time: one.time ?? delay } : one));

/**
 * Says which rules of gates and qubits acted nowhere in a program of the given number of qubits, which qubits of others it lacks, or
 * that no rule acted; nothing where all did. The rules of a calibration, which name qubits without gates, may act nowhere.
 */
export function describeUnused(rules: NoiseRules, numQubits: number): string | undefined {
  const { acted } = ruleNoiseOf(rules);
  const isMissing = (places: readonly number[]) => places.some(qubit => qubit >= numQubits);
  const isOfCalibration = ({ numQubits: width, qubits }: NoiseRule) =>
    width !== undefined && qubits !== undefined;
  const told = rules.rules.flatMap(rule => {
    const { gates, qubits } = rule;
    if (isOfCalibration(rule) || !(gates || qubits)) return [];
    const places = acted.has(rule) ? qubits?.filter(isMissing) : qubits;
    if (acted.has(rule) && !places?.length) return [];
    const on = places ? ` on ${places.map(each => each.join("–")).join(", ")}` : "";
    return [`that after ${gates ? gates.join(", ") : "gates"}${on}`];
  });
  const unread = rules.rules.some(isOfCalibration)
    ? []
    : rules.readout.flatMap(({ qubits = [] }) => qubits.filter(qubit => qubit >= numQubits));
  if (unread.length > 0) told.push(`that of reading ${unread.join(", ")}`);
  const texts = told.slice(0, 3).map(text => text.slice(0, 100));
  if (told.length > 3) texts.push(`${told.length - 3} more`);
  if (texts.length > 0) return `Noise that acted nowhere: ${texts.join("; ")}.`;
  const isIdle = rules.rules.length > 0 && rules.readout.length === 0 && acted.size === 0;
  return isIdle ? "The noise model acted nowhere: no gate matches its rules." : undefined;
}

const keyOf = (places: readonly number[]): string => places.toSorted((a, b) => a - b).join();

const pairsOf = (places: readonly number[]): [number, number][] =>
  places.flatMap((a, i) => places.slice(i + 1).map((b): [number, number] => [a, b]));

function noiseOfSteps(steps: readonly NoiseStep[], places: readonly number[]): GateNoise {
  return steps.flatMap(step => {
    const { width, on } = step;
    const sites =
      width === 2 ? pairsOf(places) : places.flatMap(qubit => ((on ?? qubit) === qubit ? [[qubit]] : []));
    return sites.flatMap(qubits => noiseOfStep(step, qubits));
  });
}

function noiseOfStep({ channel, factored }: NoiseStep, qubits: readonly number[]): GateNoise {
  if (channel.kind === "kraus") return [jumpSite(qubits, factored)];
  if (channel.kind === "damping") return relaxationOf(qubits[0]!, channel.population, channel.coherence);
  const { probabilities } = channel;
  const kinds = [...probabilities.keys()].filter(pauli => pauli > 0 && probabilities[pauli]! > 0);
  const probability = kinds.reduce((sum, pauli) => sum + probabilities[pauli]!, 0);
  if (probability === 0) return NO_NOISE;
  const hazard = hazardOf(probability);
  if (kinds.every(pauli => probabilities[pauli] === probabilities[kinds[0]!]))
    return [{ qubits, hazard, kinds }];
  let sum = 0;
  const weights = kinds.map(pauli => {
    sum += probabilities[pauli]!;
    return sum / probability;
  });
  return [{ qubits, hazard, kinds, weights }];
}

/** A step of a rule's noise, on each qubit of a gate or on each pair of them. */
interface NoiseStep {
  readonly width: 1 | 2;
  /** The only qubit on which it acts. */
  readonly on: number | undefined;
  readonly channel: ReducedChannel;
  /** Factors of its Kraus operators, where these are needed. */
  readonly factored: readonly JumpOperator[];
}

/** Reduces the channels of a rule for gates on the given number of qubits: neighbouring channels on one qubit are composed. */
function stepsOf(channels: readonly RuleChannel[], numQubits: 1 | 2, isTwirled: boolean): NoiseStep[] {
  const steps: Omit<NoiseStep, "factored">[] = [];
  for (const given of channels) {
    const width = widthOf(given, numQubits);
    const { on } = given;
    if (width > numQubits) continue;
    const reduced = reducedChannel(given, width);
    const channel = isTwirled ? twirlOf(reduced) : reduced;
    const before = steps.at(-1);
    const isAlike = width === 1 && before?.width === 1 && before.on === on;
    const both = isAlike && composed(before.channel, channel);
    if (both) steps[steps.length - 1] = { width, on, channel: both };
    else steps.push({ width, on, channel });
  }
  return steps.map(step => ({
    ...step,
    factored: step.channel.kind === "kraus" ? step.channel.operators.map(factorOperator) : [],
  }));
}
