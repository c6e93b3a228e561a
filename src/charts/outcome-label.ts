import { clip, clipMiddle, plain } from "../display/text.ts";
import { isBitString, widthOf } from "../results/index.ts";

/** How outcomes are written: as they are, as kets, or not at all. */
export type LabelStyle = "raw" | "ket" | "none";

/** A register of bits, as the program declares it. */
export interface Register {
  name: string;
  size: number;
}

const maxLabel = 28;

/**
 * Makes a function that writes outcomes as labels: bounded, visible, different from each other and from `reserved`.
 */
export function labeller(style: LabelStyle, reserved: string): (outcome: string) => string {
  const taken = new Set([reserved]);
  return outcome => {
    const short = clipMiddle(plain(outcome, 4096) || "(empty)", maxLabel);
    const written = style === "ket" ? `|${short}⟩` : short;
    let label = written;
    for (let copy = 2; taken.has(label); copy++) label = `${written} (${copy})`;
    taken.add(label);
    return label;
  };
}

function bitsOf(name: string, size: number): string {
  if (size <= 4) return Array.from({ length: size }, (_, index) => `${name}[${size - 1 - index}]`).join(" ");
  return `${name}[${size - 1}] … ${name}[0]`;
}

/** What the symbols of an outcome are, from left to right: `c[1] c[0]`, or `bit 4 … bit 0` when nothing names them. */
export function bitOrder(outcome: string | undefined, registers?: readonly Register[]): string {
  if (registers && registers.length > 0)
    return clip(
      registers
        .toReversed()
        .slice(0, 6)
        .map(({ name, size }) => bitsOf(plain(name, 24), size))
        .join("   "),
      120,
    );
  if (outcome === undefined || !isBitString(outcome) || outcome.includes(" ")) return "outcome";
  const width = widthOf(outcome);
  return width === 1 ? "bit 0" : `bit ${width - 1} … bit 0`;
}
