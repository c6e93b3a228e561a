import { singleLine } from "../../display/text.ts";
import { series } from "../roles.ts";
import { fonts } from "../vega-lite.ts";
import type { Stepper } from "./stepper.ts";

const MAX_LINES = 24;
const LINE_HEIGHT = 16;
const CHARACTER_WIDTH = 6.7;

/** Draws the text of a program, and marks the line that an expression names; of a long one it draws the lines around it. */
export function programView({ lines }: Stepper, width: number, line: string) {
  const shown = Math.min(MAX_LINES, Math.max(1, lines.length));
  const values = lines.map((text, index) => ({
    line: index + 1,
    text: singleLine(text.replaceAll("\t", "  "), Math.floor((width - 34) / CHARACTER_WIDTH)).trimEnd(),
  }));
  const first = `clamp(${line} - ${shown / 2}, 0, ${Math.max(0, lines.length - shown)})`;
  const y = { field: "row", type: "quantitative" };
  const mark = { type: "text", align: "left", font: fonts.mono, fontSize: 11, baseline: "middle" };
  return {
    width,
    height: shown * LINE_HEIGHT,
    data: { values },
    transform: [
      { calculate: `datum.line - floor(${first})`, as: "row" },
      { filter: `datum.row >= 0.5 && datum.row <= ${shown + 0.5}` },
      { calculate: "datum.row - 0.5", as: "from" },
      { calculate: "datum.row + 0.5", as: "to" },
    ],
    encoding: {
      y: {
        ...{ type: "quantitative", axis: null },
        scale: { domain: [0.5, shown + 0.5], nice: false, zero: false, reverse: true },
      },
    },
    layer: [
      {
        transform: [{ filter: `datum.line == ${line}` }],
        mark: { type: "rect", color: series[0], opacity: 0.16 },
        encoding: {
          x: { value: 0 },
          x2: { value: "width" },
          y: { ...y, field: "from" },
          y2: { field: "to" },
        },
      },
      {
        mark: { ...mark, align: "right", opacity: 0.55 },
        encoding: { x: { value: 20 }, y, text: { field: "line", type: "quantitative" } },
      },
      { mark, encoding: { x: { value: 30 }, y, text: { field: "text", type: "nominal" } } },
    ],
  };
}
