import { expect, test } from "vitest";
import { isPostgresMissing } from "../service/store/postgres/server.ts";
import { attackService } from "./attacks.ts";
import { bombPrograms } from "./bombs.ts";
import { stepClock } from "./clocks.ts";
import { crowdQueue } from "./fairness.ts";
import { failWrites } from "./faults.ts";
import { fuzzRequests } from "./fuzz.ts";
import { killWhileSubmitting } from "./kills.ts";
import { raceRequests } from "./races.ts";
import { cancelOnWorkers } from "./shared/cancels.ts";
import { breakSharedService } from "./shared/faults.ts";

test.each([
  ["kills under load", () => killWhileSubmitting({ kills: 3 })],
  ["writes that fail", () => failWrites({ faults: 3, maxFaultMs: 500 })],
  ["fuzzed requests", () => fuzzRequests({ requests: 1000 })],
  ["attacks on connections", () => attackService({ size: 20 })],
  ["program bombs", () => bombPrograms({ rounds: 1, patienceMs: 250 })],
  ["races", () => raceRequests({ rounds: 5 })],
  ["a user with many jobs", () => crowdQueue({ jobs: 60, patienceMs: 4000 })],
  ["steps of the clock", () => stepClock({ steps: 8 })],
])("%s break no promise", { timeout: 240_000 }, async (_, trial) => {
  expect((await trial()).violations).toEqual([]);
});

test.skipIf(isPostgresMissing()).each([
  ["faults", () => breakSharedService({ faults: 6 })],
  ["cancels", () => cancelOnWorkers({ cancels: 6 })],
])("%s of a shared service break no promise", { timeout: 240_000 }, async (_, trial) => {
  expect((await trial()).violations).toEqual([]);
});
