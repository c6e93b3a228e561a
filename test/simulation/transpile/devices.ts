import { readFileSync } from "node:fs";
import { type Target, targetOf } from "../../../src/simulation/index.ts";

const CATALOGUE = new URL("../../../src/service/catalogue/", import.meta.url);
const read = (path: string) => JSON.parse(readFileSync(new URL(path, CATALOGUE), "utf8"));

/** The emulated QPUs of the catalogue as targets, by their names. */
export const TARGETS: Readonly<Record<string, Target>> = Object.fromEntries(
  Object.entries(read("topologies.json"))
    .map(([qrn, topology]) => [qrn.split(":").at(-1)!, topology] as const)
    .filter(([name]) => ["perth", "auckland", "brisbane", "garnet", "forte"].includes(name))
    .map(([name, topology]) => [name, targetOf(topology as never, read(`calibrations/${name}.json`))]),
);
