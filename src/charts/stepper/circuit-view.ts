import { inked, neutral, series } from "../roles.ts";
import { fonts } from "../vega-lite.ts";
import type { Stepper } from "./stepper.ts";

/** Operations as shapes whose heights count from the top, and whose distances across from the middle of their column. */
export interface StepperCircuit {
  readonly height: number;
  /** Width of the names of the wires. */
  readonly margin: number;
  readonly wires: readonly {
    readonly label: string;
    readonly y: number;
    readonly lines: readonly number[];
  }[];
  readonly columns: readonly { readonly width: number; readonly shapes: readonly CircuitShape[] }[];
}

type CircuitShape =
  | { readonly path: string; readonly stroke: string; readonly fill: string; readonly width: number }
  | {
      readonly text: string;
      readonly x: number;
      readonly y: number;
      readonly color: string;
      readonly anchor: string;
    };

/** Opacity of operations to come. */
const TO_COME = 0.45;
/** Draws a path in its own pixels: the square of twice the scale. */
const PATH_SIZE = 4;

/**
 * Draws the operations of an execution on the wires of its circuit, those to come pale, and marks the current one, which an
 * expression names. Of a long execution it draws as many as fit around the current one.
 */
export function circuitView({ frames, circuit }: Stepper, width: number, current = "step") {
  const { wires, columns, margin, height } = circuit;
  let total = 0;
  const places = columns.map(column => {
    const from = total;
    total += column.width;
    return { from, to: total };
  });
  const room = width - margin;
  const starts = [{ from: 0, to: 0 }, ...places].map(({ from, to }) =>
    Math.round(Math.min(Math.max(0, total - room), Math.max(0, (from + to - room) / 2))),
  );
  const shapes = columns.flatMap((column, at) => {
    const { from, to } = places[at]!;
    const { instruction } = frames[at + 1]!;
    return column.shapes.map(shape => ({
      ...shape,
      step: at + 1,
      instruction,
      from,
      to,
      at: (from + to) / 2,
    }));
  });
  const start = `[${starts}][${current}]`;
  const isVisible = [
    { calculate: start, as: "start" },
    { filter: `datum.from >= datum.start - 1 && datum.to <= datum.start + ${room + 1}` },
    { calculate: `datum.at - datum.start + ${margin} + (datum.x || 0)`, as: "left" },
  ];
  const pixels = (field: string) => ({ field, type: "quantitative", scale: null, axis: null });
  const colour = (field: string) => ({ field, type: "nominal", scale: null, legend: null });
  const opacity = { condition: { test: `datum.step > ${current}`, value: TO_COME }, value: 1 };
  const tooltip = [{ field: "instruction", type: "nominal", title: "operation" }];
  const texts = shapes.flatMap(shape => ("text" in shape && shape.text !== "" ? [shape] : []));
  const label = (anchor: string, fontSize: number) => ({
    data: { values: texts.filter(shape => shape.anchor === anchor) },
    transform: isVisible,
    mark: {
      type: "text",
      align: anchor === "start" ? "left" : "center",
      baseline: "alphabetic",
      font: fonts.mono,
      fontSize,
    },
    encoding: {
      ...{ x: pixels("left"), y: pixels("y"), opacity, tooltip },
      text: { field: "text", type: "nominal" },
      color: { condition: { test: "datum.color == 'currentColor'", value: inked }, value: "#16181d" },
    },
  });
  return {
    ...{ width, height },
    layer: [
      {
        data: { values: places.map((place, at) => ({ ...place, step: at + 1, at: place.from })) },
        transform: [
          { filter: `datum.step == ${current}` },
          ...isVisible,
          { calculate: "datum.left + datum.to - datum.from", as: "right" },
        ],
        mark: { type: "rect", color: series[0], opacity: 0.16 },
        encoding: { x: pixels("left"), x2: { field: "right" }, y: { value: 0 }, y2: { value: height } },
      },
      {
        data: { values: wires.flatMap(({ lines }) => lines.map(y => ({ y }))) },
        mark: { type: "rule", color: neutral },
        encoding: { y: pixels("y"), x: { value: margin }, x2: { value: width } },
      },
      {
        data: { values: wires },
        mark: { type: "text", align: "right", font: fonts.mono, fontSize: 12, xOffset: -8 },
        encoding: {
          ...{ x: { value: margin }, y: pixels("y"), color: { value: inked } },
          text: { field: "label", type: "nominal" },
        },
      },
      {
        data: { values: shapes.filter(shape => "path" in shape) },
        transform: isVisible,
        mark: { type: "point", size: PATH_SIZE, opacity: 1, aria: false },
        encoding: {
          ...{ x: pixels("left"), y: { value: 0 }, shape: colour("path"), opacity, tooltip },
          ...{ fill: colour("fill"), stroke: colour("stroke") },
          strokeWidth: { field: "width", type: "quantitative", scale: null, legend: null },
        },
      },
      label("middle", 12),
      label("start", 10),
    ],
  };
}
