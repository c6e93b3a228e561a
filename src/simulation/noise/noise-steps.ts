import { type Matrix, multiply, sizeOf } from "../linear-algebra/matrix.ts";
import type { RuleChannel } from "../noise-rules.ts";
import { factorOperator, type JumpOperator } from "./jumps.ts";
import {
  type Damping,
  dampingOf,
  krausOperators,
  type ReducedChannel,
  reduceChannel,
  widthOf,
} from "./kraus.ts";

/** A step of a rule's noise, on each qubit of a gate or on each pair of them. */
export interface NoiseStep {
  readonly width: 1 | 2;
  /** The only qubit on which it acts. */
  readonly on: number | undefined;
  readonly channel: ReducedChannel;
  readonly damping: Damping | null;
  readonly factored: readonly JumpOperator[];
}

/** Reduces the channels of a rule for gates on so many qubits: neighbouring channels on one qubit are composed. */
export function stepsOf(channels: readonly RuleChannel[], numQubits: 1 | 2, isTwirled: boolean): NoiseStep[] {
  const steps: (Pick<NoiseStep, "width" | "on"> & {
    isPauli: boolean;
    operators: readonly Matrix[];
  })[] = [];
  for (const channel of channels) {
    const width = widthOf(channel, numQubits);
    const { on } = channel;
    if (width > numQubits) continue;
    const { operators, isPauli } = reduced(krausOperators(channel, width), isTwirled);
    const before = steps.at(-1);
    if (width === 1 && before?.width === 1 && before.isPauli === isPauli && before.on === on) {
      const all = operators.flatMap(later => before.operators.map(earlier => multiply(later, earlier)));
      before.operators = reduceChannel(all).operators;
    } else steps.push({ width, on, isPauli, operators });
  }
  return steps.map(({ width, on, operators }) => {
    const channel = reduceChannel(operators);
    const damping = width === 1 && !channel.isPauli ? dampingOf(operators) : null;
    const factored = channel.operators.map(factorOperator);
    return { width, on, channel, damping, factored };
  });
}

function reduced(operators: readonly Matrix[], isTwirled: boolean): ReducedChannel {
  const channel = reduceChannel(operators);
  if (!isTwirled || channel.isPauli) return channel;
  const width = Math.log2(sizeOf(operators[0]!)) as 1 | 2;
  return reduceChannel(
    krausOperators({ channel: "pauli", probabilities: lettersOf(channel.pauli, width) }, width),
  );
}

/** Returns the probabilities of Pauli operators by their letters. */
export const lettersOf = (probabilities: readonly number[], width: number): Record<string, number> =>
  Object.fromEntries(
    probabilities.map((p, pauli) => [
      Array.from({ length: width }, (_, i) => "IXYZ"[(pauli >> (2 * i)) & 3]).join(""),
      p,
    ]),
  );
