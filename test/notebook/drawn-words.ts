import { type Chart, linspace } from "../../src/index.ts";
import { specificationCheck } from "../charts/schema.ts";

export const isValid = specificationCheck();
export const xy = { x: "x", y: "y" } as const;
export const points = linspace(0, 4, 5).map(x => ({
  x,
  y: Math.exp(-x),
  low: Math.exp(-x) - 0.1,
  high: Math.exp(-x) + 0.1,
}));

/** The words that stand at a role of a picture, such as `axis-title`. */
export function wordsAt(chart: Chart, role: string): string[] {
  const group = new RegExp(`<g class="mark-text role-${role}"[^>]*>(.*?)</g>`, "gs");
  return [...chart.toSVG().matchAll(group)].flatMap(([, marks]) =>
    [...marks!.matchAll(/>([^<]+)<\/text>/g)].map(([, words]) => words!),
  );
}

export const numbersAt = (chart: Chart, role: string) =>
  wordsAt(chart, role).map(words => Number(words.replaceAll(",", "")));
