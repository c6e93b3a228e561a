import { benchChoice } from "./choice.ts";
import { benchClient } from "./client.ts";
import { benchDevices } from "./devices.ts";
import { benchDisplay } from "./display.ts";
import { benchFit } from "./fit.ts";
import { benchImports } from "./imports.ts";
import { benchKernels } from "./kernels.ts";
import { benchNoise } from "./noise.ts";
import { benchOpenQasm } from "./openqasm.ts";
import { benchPage } from "./page.ts";
import { benchReach } from "./reach.ts";
import { benchService } from "./service.ts";
import { benchSimulation } from "./simulation.ts";
import { benchTranspile } from "./transpile.ts";

const benches: Record<string, () => Promise<void>> = {
  choice: benchChoice,
  client: benchClient,
  devices: benchDevices,
  display: benchDisplay,
  fit: benchFit,
  imports: benchImports,
  kernels: benchKernels,
  noise: benchNoise,
  openqasm: benchOpenQasm,
  page: benchPage,
  reach: benchReach,
  service: benchService,
  simulation: benchSimulation,
  transpile: benchTranspile,
};

const chosen = process.argv.slice(2);
for (const [name, bench] of Object.entries(benches)) {
  if (chosen.length === 0 || chosen.includes(name)) await bench();
}
