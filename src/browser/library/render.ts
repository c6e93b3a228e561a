import { KetbookError } from "../../client/errors.ts";

type Renderer = { renderSvg(spec: object): string };

let loading: Promise<Renderer> | undefined;
let renderer: Renderer | undefined;

/** Loads Vega, once. */
export async function loadRenderer(): Promise<void> {
  loading ??= import("../../charts/vega/renderer.ts");
  renderer = await loading;
}

/** Draws a Vega-Lite specification as SVG, at once. Throws a `KetbookError` where Vega is not loaded. */
export function renderSvg(spec: object): string {
  if (!renderer) {
    void loadRenderer();
    throw new KetbookError("What draws charts is still loading: run this cell again in a moment.");
  }
  return renderer.renderSvg(spec);
}
