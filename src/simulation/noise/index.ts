export type { UniformNoise } from "../noise-model.ts";
export { philox } from "../sampling/philox.ts";
export { deviceFigures } from "../schedule/device-figures.ts";
export { noiseProblems } from "./check-rules.ts";
