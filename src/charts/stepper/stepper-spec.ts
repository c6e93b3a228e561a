import { singleLine } from "../../display/text.ts";
import { clampPixels, fonts, type VegaLiteSpec, vegaLiteSpec } from "../vega-lite.ts";
import { circuitView } from "./circuit-view.ts";
import { programView } from "./program-view.ts";
import { amplitudesView, spheresView } from "./state-views.ts";
import type { Stepper } from "./stepper.ts";

const MAX_CAPTION = 100;
/** The width of the axis of probabilities. */
const AXIS_WIDTH = 50;

/** Draws an execution as a Vega-Lite specification whose parameter `step` a slider is bound to. */
export function stepperSpec(stepper: Stepper, description: string): VegaLiteSpec {
  const { title, subtitle, frames, lines, options } = stepper;
  const width = clampPixels(options.width ?? 720, 420, 2000);
  const last = frames.length - 1;
  const hasState = frames.some(({ amplitudes, noisy }) => amplitudes !== null || noisy !== null);
  const { state = "both" } = options;
  const textWidth = lines.length > 0 ? Math.round(width * 0.38) : 0;
  const pictureWidth = width - textWidth;
  const picture = {
    vconcat: [
      caption(stepper, pictureWidth),
      circuitView(stepper, pictureWidth),
      ...(hasState && state !== "bloch" && state !== "none"
        ? [amplitudesView(stepper, pictureWidth - AXIS_WIDTH)]
        : []),
      ...(hasState && state !== "amplitudes" && state !== "none" ? [spheresView(stepper, pictureWidth)] : []),
    ],
    spacing: 16,
  };
  return vegaLiteSpec({
    description,
    title: { text: title, subtitle, anchor: "start" },
    params: [
      {
        name: "step",
        value: options.step ?? 0,
        bind: { input: "range", min: 0, max: last, step: 1, name: "Step " },
      },
      { name: "line", expr: `[${frames.map(({ line }) => line ?? 0)}][step]` },
    ],
    hconcat: textWidth > 0 ? [picture, programView(stepper, textWidth)] : [picture],
    spacing: 24,
  });
}

/** Writes what the current step is, and what the classical memory holds after it. */
export function caption({ frames }: Pick<Stepper, "frames">, width: number, current = "step") {
  const values = frames.flatMap(({ instruction, outcome, memory }, step) => [
    { step, row: 0, text: `${step}: ${instruction}${outcome ? ` → ${outcome}` : ""}` },
    { step, row: 1, text: memory },
  ]);
  return {
    width,
    height: 36,
    data: { values: values.map(row => ({ ...row, text: singleLine(row.text, MAX_CAPTION) })) },
    transform: [{ filter: `datum.step == ${current}` }],
    mark: { type: "text", align: "left", font: fonts.mono, fontSize: 12, baseline: "middle" },
    encoding: {
      x: { value: 0 },
      y: {
        field: "row",
        type: "quantitative",
        axis: null,
        scale: { domain: [-0.5, 1.5], nice: false, reverse: true },
      },
      text: { field: "text", type: "nominal" },
    },
  };
}
