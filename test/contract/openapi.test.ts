import { afterAll, beforeAll, expect, test } from "vitest";
import { type Body, findSubject, type Subject } from "./subject.ts";

const operations = [
  "createJob",
  "listJobs",
  "deleteMultipleJobs",
  "getJobsSummary",
  "getJobsStatuses",
  "getJobCostEstimate",
  "getJob",
  "deleteJob",
  "cancelJob",
  "getJobResult",
  "getJobProgram",
  "getJobCompiledProgram",
  "getJobProgramAscii",
  "createJobGroup",
  "listJobGroups",
  "getJobGroup",
  "getJobGroupJobs",
  "closeJobGroup",
  "cancelJobGroup",
  "listDevices",
  "getDevice",
  "getDeviceCalibrations",
  "getCreditBalance",
  "getCreditPricing",
  "getSimulatorUsage",
  "getSimulatorUsageSeries",
];

let service: Subject;
let document: Body;
beforeAll(async () => {
  service = await findSubject();
  document = await (await fetch(`${service.url}/openapi.json`)).json();
});
afterAll(() => service.close());

test("all operations are described in OpenAPI 3.1, under the names of the interface", () => {
  expect(document.openapi).toMatch(/^3\.1\./);
  const described = Object.values<Body>(document.paths).flatMap(path => Object.values<Body>(path));
  expect(described.map(operation => operation.operationId).sort()).toEqual([...operations].sort());
});

test("limits and defaults are those of the interface", () => {
  const parameters = (path: string) =>
    Object.fromEntries(document.paths[path].get.parameters.map((each: Body) => [each.name, each.schema]));
  expect(parameters("/jobs").limit).toEqual({ type: "integer", minimum: 1, maximum: 100, default: 50 });
  expect(parameters("/devices").limit).toMatchObject({ maximum: 100, default: 20 });
  expect(parameters("/jobs/group").limit).toMatchObject({ maximum: 100, default: 50 });
  expect(parameters("/jobs/cost-estimate").shots).toEqual({
    type: "integer",
    minimum: 1,
    maximum: 100_000,
    default: 1000,
  });
  expect(parameters("/jobs/cost-estimate").programs).toEqual({
    type: "integer",
    minimum: 1,
    maximum: 2000,
    default: 1,
  });
  expect(parameters("/usage/simulator/series").days).toEqual({
    type: "integer",
    minimum: 0,
    maximum: 365,
    default: 30,
  });
  expect(parameters("/jobs").search).toMatchObject({ minLength: 1, maxLength: 255 });
});

test("what makes a job or a group takes an Idempotency-Key, and nothing else does", () => {
  const taking = Object.values<Body>(document.paths)
    .flatMap(path => Object.values<Body>(path))
    .filter(({ parameters }) => parameters.some((each: Body) => each.name === "Idempotency-Key"));
  expect(taking.map(operation => operation.operationId).sort()).toEqual(["createJob", "createJobGroup"]);
});

test("every reference leads somewhere", () => {
  const names = [...JSON.stringify(document).matchAll(/#\/components\/schemas\/(\w+)/g)].map(
    ([, name]) => name!,
  );
  expect(names.length).toBeGreaterThan(50);
  for (const name of new Set(names)) expect(document.components.schemas).toHaveProperty(name);
  const others = [...JSON.stringify(document).matchAll(/"\$ref":"(?!#\/components\/schemas\/\w+")[^"]*"/g)];
  expect(others).toEqual([]);
});

test("every record that an answer holds is one of the named records", () => {
  const data = (path: string) =>
    document.paths[path].get.responses[200].content["application/json"].schema.properties.data;
  const named = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  expect(data("/jobs/{job_qrn}")).toEqual(named("RuntimeJob"));
  expect(data("/jobs").items).toEqual(named("RuntimeJob"));
  expect(data("/jobs/summary")).toEqual(named("JobsSummary"));
  expect(data("/jobs/cost-estimate")).toEqual(named("Quote"));
  expect(data("/billing/credits/balance")).toEqual(named("CreditBalance"));
  expect(data("/usage/simulator").items).toEqual(named("SimulatorUsage"));
});

test("there is a page for people, which loads nothing from elsewhere", async () => {
  const page = await (await fetch(`${service.url}/docs`)).text();
  for (const id of operations) expect(page).toContain(id);
  expect(page).not.toMatch(/(src|href)="https?:/);
});
