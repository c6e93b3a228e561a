import { expect, expectTypeOf, test } from "vitest";
import type {
  DeviceFilter,
  GroupFilter,
  JobCancelled,
  JobStatus,
  OpenEnum,
  PricingModel,
  RuntimeDevice,
} from "../../src/client.ts";
import {
  type DevicesFilter,
  type JobError,
  type JobsFilter,
  Ketbook,
  type ResultMembers,
} from "../../src/index.ts";

test("undocumented enum values can be queried, besides those that are known", () => {
  const jobs: JobsFilter = { status: "PAUSED" };
  const devices: DevicesFilter = { status: "CALIBRATING", deviceType: "HYBRID" };
  const groups: GroupFilter = { status: "ARCHIVED" };
  const kb = new Ketbook({ url: "https://quantum.example/api/v1", apiKey: "k" });
  expect(() => [kb.jobs(jobs), kb.devices(devices), kb.groups(groups)]).not.toThrow();
  expectTypeOf<DeviceFilter["deviceType"]>().toEqualTypeOf<OpenEnum<"QPU" | "SIMULATOR"> | undefined>();
});

test("every status and price model that is read has its known words", () => {
  expectTypeOf<JobError["status"]>().toEqualTypeOf<OpenEnum<JobStatus>>();
  expectTypeOf<JobCancelled["status"]>().toEqualTypeOf<OpenEnum<JobStatus>>();
  expectTypeOf<ResultMembers["status"]>().toEqualTypeOf<OpenEnum<JobStatus>>();
  expectTypeOf<RuntimeDevice["pricingModel"]>().toEqualTypeOf<OpenEnum<PricingModel> | null>();
});
