import { clampPixels, type VegaLiteSpec, vegaLiteSpec } from "../vega-lite.ts";
import { circuitView } from "./circuit-view.ts";
import { amplitudesView } from "./state-views.ts";
import type { Stepper } from "./stepper.ts";
import { caption } from "./stepper-spec.ts";

const COLUMNS = 2;
const AXIS_WIDTH = 50;

/** Draws some steps of an execution beside each other, spread evenly from its beginning to its end. */
export function stillsSpec(stepper: Stepper, description: string): VegaLiteSpec {
  const { title, subtitle, frames, options } = stepper;
  const width = (clampPixels(options.width ?? 720, 420, 2000) - 24) / COLUMNS;
  const last = frames.length - 1;
  const count = Math.min(options.stills ?? 6, frames.length);
  const shown = Array.from({ length: count }, (_, i) => Math.round((i * last) / Math.max(1, count - 1)));
  const stills = [...new Set(shown)].map(step => {
    const only = frames.map((frame, at) =>
      at === step ? frame : { ...frame, amplitudes: null, noisy: null },
    );
    const own = { ...stepper, frames: only };
    const { amplitudes, noisy } = frames[step]!;
    return {
      vconcat: [
        caption(own, width, String(step)),
        circuitView(own, width, String(step)),
        ...(amplitudes || noisy ? [amplitudesView(own, width - AXIS_WIDTH, String(step))] : []),
      ],
      spacing: 12,
    };
  });
  return vegaLiteSpec({
    description,
    title: { text: title, subtitle, anchor: "start" },
    concat: stills,
    columns: COLUMNS,
    spacing: 32,
  });
}
