import { type ErrorDetail, LIMITS } from "../../contract/index.ts";
import type { CheckedJobRequest } from "../../contract/schemas/index.ts";
import { type CatalogueDevice, isNoisy, noiseProblems } from "../catalogue/catalogue.ts";
import { HttpError } from "../http-error.ts";

/** Checks a submission against what its device takes; throws an HttpError (400) that names every bad field. */
export function checkAgainstDevice(request: CheckedJobRequest, device: CatalogueDevice): void {
  const details = [
    ...wrongFormats(request, device),
    ...wrongShots(request, device),
    ...wrongOptions(request, device),
  ];
  if (Array.isArray(request.program) && request.program.length > 1 && !device.batchJobSupport) {
    details.push({ path: "program", message: "must be one program: the device takes no batches" });
  }
  if (details.length === 0) return;
  throw new HttpError("VALIDATION_ERROR", `The job does not fit the device ${device.qrn}.`, { details });
}

function wrongFormats({ program }: CheckedJobRequest, device: CatalogueDevice): ErrorDetail[] {
  const taken: readonly string[] = device.runInputTypes;
  const message = `must be a format that the device takes: ${taken.join(", ")}`;
  if (!Array.isArray(program)) {
    return taken.includes(program.format) ? [] : [{ path: "program.format", message }];
  }
  return program.flatMap((one, index) =>
    taken.includes(one.format) ? [] : [{ path: `program.${index}.format`, message }],
  );
}

function wrongShots({ shots }: CheckedJobRequest, { minShots, maxShots }: CatalogueDevice): ErrorDetail[] {
  if (shots >= minShots && shots <= maxShots) return [];
  const exact = shots === 0 ? "; exact probabilities (0) are for simulators" : "";
  const range = `${minShots.toLocaleString("en-US")} to ${maxShots.toLocaleString("en-US")}`;
  return [
    {
      path: "shots",
      message: `must be ${range} on this device, not ${shots.toLocaleString("en-US")}${exact}`,
    },
  ];
}

function wrongOptions(
  { runtimeOptions, program, shots }: CheckedJobRequest,
  device: CatalogueDevice,
): ErrorDetail[] {
  const details: ErrorDetail[] = [];
  const { noiseModel, memory, observables } = runtimeOptions ?? {};
  if (observables?.length && device.engine === "emulator")
    details.push({
      path: "runtimeOptions.observables",
      message: "are for simulators: a QPU measures, and means are taken of its counts",
    });
  details.push(...wrongNoise(noiseModel, device));
  const remembered = shots * (Array.isArray(program) ? program.length : 1);
  if (memory && remembered > LIMITS.maxMemoryShots) {
    details.push({
      path: "runtimeOptions.memory",
      message: `keeps at most ${LIMITS.maxMemoryShots} shots over all programs of a job`,
    });
  }
  return details;
}

/** Checks the noise model of a job: the name of one of the device's, or custom rules. */
function wrongNoise(noiseModel: unknown, { engine, noiseModels }: CatalogueDevice): ErrorDetail[] {
  const path = "runtimeOptions.noiseModel";
  if (noiseModel === undefined || noiseModel === null) return [];
  if (typeof noiseModel === "string") {
    if (noiseModels.includes(noiseModel)) return [];
    const names = noiseModels.map(name => JSON.stringify(name)).join(", ");
    const message = names ? `must be one of ${names}` : "is for devices with noise models: this one has none";
    return [{ path, message }];
  }
  if (!isNoisy(engine))
    return [{ path, message: "is for simulators of noise: the device takes no noise model of a job's own" }];
  return noiseProblems(noiseModel).map(problem => ({
    path: problem.path ? `${path}.${problem.path}` : path,
    message: problem.message,
  }));
}
