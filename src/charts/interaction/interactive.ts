import type { VegaLiteSpec } from "../vega-lite.ts";
import { fadeByLegend } from "./legend.ts";
import { linkQubits } from "./qubits.ts";
import { isView } from "./views.ts";
import { zoomLines } from "./zoom.ts";

/** Whether a specification has parameters anywhere but in its data. */
function hasParameters(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasParameters);
  if (!isView(value)) return false;
  const { data: _, datasets: __, config: ___, ...rest } = value;
  return "params" in rest || Object.values(rest).some(hasParameters);
}

/**
 * Makes a specification answer to the pointer where a front end allows it: a click on a legend, a drag along a
 * long line, a qubit under the pointer. One with custom parameters stays as it is.
 */
export function interactive(spec: VegaLiteSpec): VegaLiteSpec {
  if (hasParameters(spec)) return spec;
  return [fadeByLegend, linkQubits, zoomLines].reduce((view, add) => add(view) as VegaLiteSpec, spec);
}
