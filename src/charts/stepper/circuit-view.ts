import { singleLine } from "../../display/text.ts";
import { neutral, series } from "../roles.ts";
import { fonts } from "../vega-lite.ts";
import type { Stepper } from "./stepper.ts";

const MAX_COLUMNS = 16;
const WIRE_DISTANCE = 30;
const NAMES_WIDTH = 44;
const MAX_SYMBOL = 4;
/** White is read on it, and it is seen on white and on black: boxes keep it in every theme. */
const BOX_COLOR = "#3b6fb5";

/** Draws the operations of an execution on the wires of their qubits, the ones to come pale, and marks the current one, which an expression names. */
export function circuitView({ frames, qubits }: Stepper, width: number, current = "step") {
  const last = frames.length - 1;
  const columns = Math.min(MAX_COLUMNS, Math.max(1, last));
  const operations = frames.flatMap((frame, step) => (step > 0 ? [{ ...frame, step }] : []));
  const boxes = operations.flatMap(({ step, symbol, qubits: on, controls, instruction }) =>
    on.slice(controls.length).map(qubit => ({
      step,
      qubit,
      symbol: symbol === "swap" ? "×" : singleLine(symbol, MAX_SYMBOL),
      instruction,
    })),
  );
  const dots = operations.flatMap(({ step, qubits: on, controls, instruction }) =>
    controls.map((polarity, i) => ({ step, qubit: on[i]!, polarity, instruction })),
  );
  const links = operations.flatMap(({ step, qubits: on }) =>
    on.length > 1 ? [{ step, low: Math.min(...on), high: Math.max(...on) }] : [],
  );
  const isVisible = [
    {
      calculate: `datum.step - clamp(${current} - ${columns / 2}, 0, ${Math.max(0, last - columns)})`,
      as: "column",
    },
    { filter: `datum.column >= 0.5 && datum.column <= ${columns + 0.5}` },
  ];
  const x = { field: "column", type: "quantitative" };
  const y = { field: "qubit", type: "quantitative" };
  const opacity = { condition: { test: `datum.step > ${current}`, value: 0.15 }, value: 1 };
  const tooltip = [{ field: "instruction", type: "nominal", title: "operation" }];
  const box = Math.min(30, (width - NAMES_WIDTH) / columns - 4);
  return {
    width: width - NAMES_WIDTH,
    height: Math.max(40, qubits.length * WIRE_DISTANCE),
    encoding: {
      x: {
        type: "quantitative",
        axis: null,
        scale: { domain: [0.3, columns + 0.7], nice: false, zero: false },
      },
      y: {
        ...{ type: "quantitative", axis: null },
        scale: { domain: [-0.6, qubits.length - 0.4], nice: false, zero: false, reverse: true },
      },
    },
    layer: [
      {
        data: { values: frames.map((_, step) => ({ step })) },
        transform: [
          { filter: `datum.step == ${current}` },
          ...isVisible,
          { calculate: "datum.column - 0.5", as: "from" },
          { calculate: "datum.column + 0.5", as: "to" },
        ],
        mark: { type: "rect", color: series[0], opacity: 0.16 },
        encoding: { x: { ...x, field: "from" }, x2: { field: "to" } },
      },
      {
        data: { values: qubits.map((name, qubit) => ({ qubit, name })) },
        layer: [
          { mark: { type: "rule", color: neutral }, encoding: { y } },
          {
            mark: { type: "text", align: "right", font: fonts.mono, fontSize: 11, xOffset: -8 },
            encoding: { x: { value: 0 }, y, text: { field: "name", type: "nominal" } },
          },
        ],
      },
      {
        data: { values: links },
        transform: isVisible,
        mark: { type: "rule", strokeWidth: 1.5, color: BOX_COLOR },
        encoding: { x, y: { ...y, field: "low" }, y2: { field: "high" }, opacity },
      },
      {
        data: { values: dots },
        transform: isVisible,
        mark: { type: "point", size: 60, strokeWidth: 2, stroke: BOX_COLOR },
        encoding: {
          ...{ x, y, opacity, tooltip },
          fill: { condition: { test: "datum.polarity", value: BOX_COLOR }, value: "white" },
        },
      },
      {
        data: { values: boxes },
        transform: isVisible,
        layer: [
          {
            mark: { type: "rect", width: box, height: 22, cornerRadius: 3, color: BOX_COLOR },
            encoding: { x, y, opacity, tooltip },
          },
          {
            mark: { type: "text", font: fonts.mono, fontSize: 10, fontWeight: 600 },
            encoding: {
              color: { condition: { test: `datum.step > ${current}`, value: BOX_COLOR }, value: "white" },
              x,
              y,
              tooltip,
              text: { field: "symbol", type: "nominal" },
            },
          },
        ],
      },
    ],
  };
}
