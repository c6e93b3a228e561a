import { afterAll, beforeAll, describe, vi } from "vitest";
import { unavailable } from "../../front-ends/available.ts";
import { type ServiceSite, serveSite } from "./site.ts";

/** The interface's suite. The page has one user, so that what takes two is left out. */
describe.skipIf(unavailable("chromium"))("the service in a page, by the interface's rules:", () => {
  let site: ServiceSite;
  beforeAll(async () => {
    site = await serveSite();
    vi.stubEnv("KETBOOK_CONTRACT_SITE", site.url);
  }, 120_000);
  afterAll(() => {
    vi.unstubAllEnvs();
    site?.close();
  });

  describe.each([
    ["account", () => import("../../contract/account.test.ts")],
    ["devices", () => import("../../contract/devices.test.ts")],
    ["groups", () => import("../../contract/groups.test.ts")],
    ["hostile requests", () => import("../../contract/hostile.test.ts")],
    ["lists of jobs", () => import("../../contract/job-lists.test.ts")],
    ["jobs", () => import("../../contract/jobs.test.ts")],
    ["OpenAPI", () => import("../../contract/openapi.test.ts")],
  ] as const)("%s", async (_name, load) => {
    await load();
  });
});
