import { compileQir, simulate } from "../../../src/simulation/index.ts";

/** Returns the exact distribution of a program in QIR, to nine digits. */
export const exact = (source: string) =>
  Object.fromEntries(
    Object.entries(simulate(compileQir(source), { shots: 0 }).measurementProbabilities!).map(([key, p]) => [
      key,
      Number(p.toFixed(9)),
    ]),
  );
