import { flag, type OptionCheck, oneOf, wholeNumber } from "../contract/index.ts";
import { clip, clipMiddle, dotted, present, singleLine } from "../display/index.ts";
import {
  compareOutcomes,
  hammingDistance,
  isBitString,
  locate,
  type Register,
  widthOf,
} from "../results/index.ts";
import { sizedChecks } from "./options.ts";

export type LabelStyle = "raw" | "ket" | "none";

export const labelStyle = oneOf("raw", "ket", "none");

/** Order of outcomes: by descending value, by outcome, or by Hamming distance to a target. */
export type OutcomeOrder =
  | "value"
  | "outcome"
  | {
      /** The outcome that the others are sorted around. */
      target: string;
    };

const orderOfBars: OptionCheck = value =>
  value === "value" || value === "outcome" || typeof Object(value).target === "string"
    ? undefined
    : '"value", "outcome" or an object such as { target: "010" }';

/** Checks of the options of charts of outcomes. */
export const outcomeOptionChecks = {
  ...sizedChecks,
  top: wholeNumber(1),
  sort: orderOfBars,
  labels: labelStyle,
  logarithmic: flag,
} as const;

/** Maximum outcomes drawn in their own order, to compare pictures of one program. */
const maxOrdered = 16;

export const usualOrder = (outcomes: number) => (outcomes <= maxOrdered ? "outcome" : "value");

/** Sorts outcomes, given in descending order of value, into the requested order. */
export function inOrder(outcomes: readonly string[], sort: OutcomeOrder): readonly string[] {
  if (sort === "outcome") return outcomes.toSorted(compareOutcomes);
  if (typeof sort !== "object") return outcomes;
  const distance = (outcome: string) => hammingDistance(outcome, sort.target);
  return outcomes.toSorted((a, b) => distance(a) - distance(b));
}

/** Returns more to say below a title, in at most one line. */
export const detailLines = (details: readonly string[] = []) =>
  present([clip(dotted(...details.slice(0, 8).map(detail => singleLine(detail, 110))), 120)]);

const maxLabel = 28;

/** Makes a function that writes outcomes as labels: bounded, visible, distinct, and none of them `reserved`. */
export function labeller(
  style: LabelStyle,
  reserved: string,
  max: number = maxLabel,
): (outcome: string) => string {
  const taken = new Set([reserved]);
  return outcome => {
    const short = clipMiddle(singleLine(outcome, 4096) || "(empty)", max);
    const written = style === "ket" ? `|${short}⟩` : short;
    let label = written;
    for (let copy = 2; taken.has(label); copy++) label = `${written} (${copy})`;
    taken.add(label);
    return label;
  };
}

/** Longer bit strings are written by those bits in which they differ, or as hexadecimal numbers. */
const maxWhole = 24;

/**
 * Writes outcomes as labels: long bit strings by the bits that tell them apart. `common` has the bits that all share, and is
 * empty if labels are complete.
 */
export function outcomeLabels(outcomes: readonly string[], style: LabelStyle, reserved: string) {
  const label = labeller(style, reserved);
  const [first = ""] = outcomes;
  const isLong =
    outcomes.length > 1 &&
    first.length > maxWhole &&
    outcomes.every(outcome => outcome.length === first.length && isBitString(outcome));
  if (!isLong) return { labels: outcomes.map(label), common: "" };
  const differs = Array.from(first, (bit, place) => outcomes.some(outcome => outcome[place] !== bit));
  if (differs.filter(Boolean).length <= maxWhole) {
    const short = outcomes.map(outcome =>
      Array.from(outcome, (bit, place) => (differs[place] ? bit : " ")).join(""),
    );
    const common = Array.from(first, (bit, place) => (differs[place] ? "_" : bit)).join("");
    return { labels: short.map(bits => label(bits.trim().replace(/ +/g, "…"))), common: `in ${common}` };
  }
  const hex = (outcome: string) =>
    BigInt(`0b${outcome.replaceAll(" ", "")}`)
      .toString(16)
      .padStart(Math.ceil(outcome.replaceAll(" ", "").length / 4), "0");
  return { labels: outcomes.map(outcome => label(hex(outcome))), common: "as hexadecimal numbers" };
}

/** Splits a string into lines of the given number of characters, between words where that is possible. */
export function lines(text: string, characters: number): string[] {
  const wrapped: string[] = [];
  let left = text;
  while (left.length > characters) {
    const space = left.lastIndexOf(" ", characters);
    const end = space > 0 ? space : characters;
    wrapped.push(left.slice(0, end).trimEnd());
    left = left.slice(end).trimStart();
  }
  return [...wrapped, left].filter(line => line !== "");
}

/** The maximum number of bits in a row that are all named: longer rows are written by their ends. */
const maxNamed = 4;

function runsOf(bits: readonly number[]): number[][] {
  const runs: number[][] = [];
  let step = 0;
  for (const bit of bits) {
    const run = runs.at(-1);
    const next = run ? bit - run.at(-1)! : 0;
    if (run && Math.abs(next) === 1 && (run.length === 1 || next === step)) run.push(bit);
    else runs.push([bit]);
    step = next;
  }
  return runs;
}

/** Names bits of one register, from left to right: `c[1] c[0]`, `c[9] … c[0]`, `bit 9 … bit 0`. */
export function rowOf(
  bits: readonly number[],
  nameOf: (bit: number) => string,
  named: number = maxNamed,
): string {
  return runsOf(bits)
    .map(run =>
      run.length > named ? `${nameOf(run[0]!)} … ${nameOf(run.at(-1)!)}` : run.map(nameOf).join(" "),
    )
    .join(" ");
}

/** Meaning of the symbols of an outcome, as a program declares its bits. */
export interface BitNames {
  /** Registers in the order of their declaration; without a name when nobody named them. */
  registers?: readonly Register[] | undefined;
  /** The bit of the program for each symbol, from right to left; default: all of them, in order. */
  bits?: readonly number[] | undefined;
  /** Nobody knows from which end the bits are to be read. Default: false. */
  unknownOrder?: boolean | undefined;
}

/** Placeholder for the bits' names if their order is unknown. */
export const unknownBitOrder = "bit order unknown";

const maxGroups = 6;
const maxLine = 120;

function bitsOf(outcome: string | undefined, registers: readonly Register[]): number[] {
  const declared = registers.reduce((sum, { size }) => sum + size, 0);
  const width = registers.length > 0 ? declared : widthOf(outcome ?? "");
  return Array.from({ length: Math.min(width, 65_536) }, (_, index) => index);
}

const atoms = /^[gre]+$/;

/** Returns the bits of an outcome from left to right: `c[1] c[0]`, `bit 4 … bit 0` or `bit order unknown`. */
export function bitOrder(outcome: string | undefined, names: BitNames): string {
  const { registers = [], bits } = names;
  const binary = outcome !== undefined && isBitString(outcome);
  if (names.unknownOrder) return binary ? unknownBitOrder : "outcome";
  const hasBits = binary || atoms.test(outcome ?? "");
  if (!hasBits || (registers.length === 0 && !bits && (!binary || outcome.includes(" ")))) return "outcome";
  const groups: { register: number; bits: number[] }[] = [];
  for (const bit of (bits ?? bitsOf(outcome, registers)).toReversed()) {
    const { register, index } = locate(registers, bit);
    const shown = registers[register]?.name ? index : bit;
    const group = groups.at(-1);
    if (group?.register === register) group.bits.push(shown);
    else if (groups.push({ register, bits: [shown] }) > maxGroups) break;
  }
  const rows = groups.slice(0, maxGroups).map(({ register, bits }) => {
    const name = singleLine(registers[register]?.name ?? "", 24);
    const word = binary ? "bit" : "atom";
    return rowOf(bits, bit => (name ? `${name}[${bit}]` : `${word} ${bit}`), name ? maxNamed : 2);
  });
  return clip(rows.join("   "), maxLine);
}
