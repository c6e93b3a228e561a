import { writeFileSync } from "node:fs";
import type { Topology } from "../../src/contract/device.ts";
import { calibrationSchema, topologySchema } from "../../src/contract/schemas/index.ts";
import { format } from "./format.ts";
import { distillForte } from "./forte.ts";
import { distillGarnet } from "./garnet.ts";
import { distillIbm } from "./ibm.ts";

/*
 * Distills the figures of the emulated QPUs: node tools/distill/main.ts FOLDER YYYY-MM-DD
 *
 * FOLDER holds the public files, both of projects under the Apache-2.0 licence:
 * conf_NAME.json and props_NAME.json of qiskit-ibm-runtime for perth, auckland and brisbane;
 * garnet_device_properties_*.json and ionq_forte_enterprise_device_capabilities.json of amazon-braket-examples.
 * The date is the day on which they were fetched. Figures alone are kept.
 */

const [folder, day] = process.argv.slice(2);
if (!folder || !/^\d{4}-\d{2}-\d{2}$/.test(day ?? ""))
  throw new Error("Usage: tools/distill/main.ts FOLDER YYYY-MM-DD");
const fetchedAt = `${day}T00:00:00.000Z`;
const write = (file: string, figures: unknown) =>
  writeFileSync(new URL(`../../src/service/catalogue/${file}`, import.meta.url), `${format(figures)}\n`);
const snapshots = {
  perth: distillIbm("perth", folder, fetchedAt),
  auckland: distillIbm("auckland", folder, fetchedAt),
  brisbane: distillIbm("brisbane", folder, fetchedAt),
  garnet: distillGarnet(folder, fetchedAt),
  forte: distillForte(folder, fetchedAt),
};
const topologies: Record<string, Topology> = {};
for (const [name, { topology, calibration }] of Object.entries(snapshots)) {
  write(`calibrations/${name}.json`, calibrationSchema.parse(calibration));
  topologies[calibration.deviceQrn] = topologySchema.parse(topology);
}
write("topologies.json", topologies);
