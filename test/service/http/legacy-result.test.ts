import fc from "fast-check";
import { expect, test } from "vitest";
import type { RuntimeJob } from "../../../src/contract/job.ts";
import { legacyResultPieces } from "../../../src/service/http/legacy.ts";

const timeStamps = { createdAt: "2026-01-01T00:00:00.000Z", endedAt: null, executionDuration: 1.5 };
const job = { jobQrn: "a:b:c:d-1", status: "COMPLETED", cost: 3, timeStamps } as RuntimeJob;
const head = { svcJobId: job.jobQrn, status: job.status, cost: job.cost, timeStamps };

/** Yields a string in pieces that are cut anywhere. */
async function* cut(text: string, places: readonly number[]): AsyncGenerator<string> {
  let start = 0;
  for (const place of places.map(each => 1 + (each % text.length)).sort((a, b) => a - b)) {
    if (place > start) yield text.slice(start, place);
    start = Math.max(start, place);
  }
  if (start < text.length) yield text.slice(start);
}

const counts = fc.option(fc.dictionary(fc.stringMatching(/^[01]{1,4}$/), fc.nat()));
const results = fc.array(fc.record({ measurementCounts: counts, measurements: fc.array(fc.string()) }), {
  minLength: 1,
  maxLength: 5,
});

test("results are those of the job in the form of version 1, wherever their pieces are cut", async () => {
  await fc.assert(
    fc.asyncProperty(results, fc.array(fc.nat(), { maxLength: 6 }), async (programs, places) => {
      const text = programs.map(each => JSON.stringify(each)).join("\n");
      const pieces = legacyResultPieces(
        job,
        { jobId: "svcJobId", programs: programs.length },
        cut(text, places),
      );
      const expected =
        programs.length === 1
          ? { ...head, ...programs[0] }
          : { ...head, measurementCounts: programs.map(each => each.measurementCounts) };
      expect(JSON.parse((await Array.fromAsync(pieces)).join(""))).toEqual(expected);
    }),
  );
});

test("of results in many pieces no more than one is held at a time", async () => {
  let [read, held] = [0, 0];
  async function* pieces() {
    yield '{"measurementCounts":{},"measurements":["0"';
    for (; read < 1000; read += 1) yield `,"${"0".repeat(1000)}"`;
    yield "]}";
  }
  let written = 0;
  for await (const _piece of legacyResultPieces(job, { jobId: "svcJobId", programs: 1 }, pieces())) {
    written += 1;
    held = Math.max(held, read + 1 - written);
  }
  expect([read, written]).toEqual([1000, 1002]);
  expect(held).toBeLessThanOrEqual(1);
});
