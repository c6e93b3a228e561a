import { clip, pad } from "../../display/text.ts";
import { type Column, distinct } from "./columns.ts";
import { formatCell } from "./format-cell.ts";
import type { Plot } from "./plot.ts";

const shades = " ░▒▓█";
const empty = "·";
const maxLabel = 12;
const maxCellWidth = 3;

const short = (column: Column, value: string | number) =>
  formatCell(column, typeof value === "number" ? Number(value.toPrecision(4)) : value);

/** Returns the cells of a heatmap with the least and the largest value, in words. */
export function describeHeatmap({ columns, values }: Plot): string {
  const { x, y, color } = columns as { x: Column; y: Column; color: Column };
  const [first] = values;
  if (!first) return "no cells";
  const pick = (isFurther: (row: number, found: number) => boolean) =>
    values.reduce((found, row) => (isFurther(Number(row.color), Number(found.color)) ? row : found), first);
  const at = (row: (typeof values)[number]) =>
    `${short(color, row.color!)} at ${x.title} ${short(x, row.x!)}, ${y.title} ${short(y, row.y!)}`;
  return `lowest ${at(pick((row, found) => row < found))}, highest ${at(pick((row, found) => row > found))}`;
}

/** Draws a heatmap in five shades of characters, the largest values the darkest. */
export function heatmapText({ title, subtitle, columns, values }: Plot, lines: number): string {
  const { x, y, color } = columns as { x: Column; y: Column; color: Column };
  const width = Math.max(30, Math.floor(lines));
  const [across, down] = [distinct(x), distinct(y)];
  const numbers = values.map(row => Number(row.color));
  const [min, max] = color.domain ?? [
    numbers.reduce((low, value) => Math.min(low, value), Infinity),
    numbers.reduce((high, value) => Math.max(high, value), -Infinity),
  ];
  const known = new Map(values.map(row => [JSON.stringify([row.x, row.y]), Number(row.color)]));
  const labels = (y.scale === "category" ? down : down.toReversed()).map(value => ({
    value,
    label: clip(short(y, value!), maxLabel),
  }));
  const label = Math.max(0, ...labels.map(({ label }) => label.length));
  const cell = Math.max(
    1,
    Math.min(maxCellWidth, Math.floor((width - label - 4) / Math.max(1, across.length))),
  );
  const shadeOf = (value: number | undefined) => {
    if (value === undefined) return empty;
    const share = Math.min(1, Math.max(0, (value - min) / (max - min || 1)));
    return shades[Math.round(share * (shades.length - 1))]!;
  };
  const drawn = labels.map(({ value, label: name }) => {
    const marks = across.map(place => shadeOf(known.get(JSON.stringify([place, value]))).repeat(cell));
    return `  ${pad(name, label, "right")} ${marks.join("")}`;
  });
  const [from, to] = [across[0], across.at(-1)];
  const scale =
    numbers.length > 0
      ? `  ${x.title} ${short(x, from!)} to ${short(x, to!)} · █ ${short(color, max)}, blank ${short(color, min)}`
      : "  no cells";
  return [title, ...subtitle, ...drawn, scale].map(line => clip(line, width)).join("\n");
}
