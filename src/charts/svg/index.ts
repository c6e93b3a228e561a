/** Loads what draws specifications as SVG, which has Vega in it. */
export const loadVega = (): Promise<typeof import("../vega/renderer.ts")> => import("../vega/renderer.ts");
