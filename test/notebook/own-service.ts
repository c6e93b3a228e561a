import { afterAll } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import type { Timing } from "../../src/contract/job.ts";
import { connect } from "../../src/index.ts";
import { type Serving, serving } from "../service/serving.ts";
import { useOwnData } from "./own-data.ts";

export { endService, isAlive, serviceOf } from "./own-data.ts";

/** Makes a data folder, and so a local service, for this test file alone; ends both afterwards. */
export function useOwnService(): string {
  const folder = useOwnData();
  connect();
  return folder;
}

/** Starts the local service of a separate data folder in this process, for this test file; ends it afterwards. */
export async function useServiceHere(timing: Timing = "classroom"): Promise<Serving> {
  const service = await serving({ timing, version: manifest.version });
  process.env.KETBOOK_DATA = service.folder;
  delete process.env.KETBOOK_URL;
  delete process.env.KETBOOK_API_KEY;
  connect();
  afterAll(() => service[Symbol.asyncDispose]());
  return service;
}
