import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createFairQueue, type FairQueue, type WaitingJob } from "../../../src/service/queue/fair-queue.ts";

const job = (seq: number, userId: number, device = "sim"): WaitingJob => ({
  seq,
  userId,
  tier: "local",
  device,
  isQpu: device.startsWith("qpu"),
});
const idle = { busyQpus: new Set<string>() };

/** A queue under a clock of its own, and a run of its next job for some milliseconds. */
function setUp() {
  let now = 0;
  const queue = createFairQueue({ now: () => now });
  const pass = (milliseconds: number) => {
    now += milliseconds;
  };
  const run = (milliseconds: number): WaitingJob | undefined => {
    const taken = queue.take(idle);
    pass(milliseconds);
    if (taken) queue.ended(taken.seq);
    return taken;
  };
  return { queue, pass, run };
}

function addAll(queue: FairQueue, jobs: WaitingJob[]): void {
  for (const each of jobs) queue.add(each);
}

describe("the fair queue", () => {
  test("takes one user's jobs in the order of their submission", () => {
    const { queue, run } = setUp();
    addAll(queue, [job(3, 1), job(1, 1), job(2, 1)]);
    expect([run(5), run(5), run(5), run(5)].map(each => each?.seq)).toEqual([1, 2, 3, undefined]);
  });

  test("a user's job does not wait for the five thousand of another", () => {
    const { queue, run } = setUp();
    addAll(
      queue,
      Array.from({ length: 5000 }, (_, index) => job(index + 1, 1)),
    );
    run(50);
    queue.add(job(6000, 2));
    expect(queue.position(6000)).toBeLessThanOrEqual(1);
    expect([run(50)?.userId, run(50)?.userId]).toContain(2);
  });

  test("leaves out what is more than a user may have waiting for a device, until there is room", () => {
    const queue = createFairQueue({ maxWaiting: 3 });
    const jobs = Array.from({ length: 5 }, (_, index) => job(index + 1, 1));
    addAll(queue, jobs);
    expect(queue.size).toBe(3);
    addAll(queue, [job(6, 1, "other"), job(7, 2)]);
    expect(queue.size).toBe(5);
    expect(queue.take(idle)?.seq).toBe(1);
    addAll(queue, jobs.slice(3));
    expect([queue.position(4), queue.position(5)]).toEqual([expect.any(Number), null]);
  });

  test("short jobs go before long ones once their lengths are known", () => {
    const { queue, run } = setUp();
    addAll(queue, [job(1, 1), job(2, 2)]);
    run(1000);
    run(1);
    addAll(queue, [job(3, 1), job(4, 1), ...Array.from({ length: 20 }, (_, index) => job(10 + index, 2))]);
    const order = Array.from({ length: 22 }, () => queue.take(idle)!).map(({ userId }) => userId);
    expect(order.slice(0, 20)).toEqual(Array(20).fill(2));
  });

  test("shares compute equally between users, however long the jobs of each are", () => {
    const lengths = fc.array(fc.integer({ min: 5, max: 500 }), { minLength: 2, maxLength: 4 });
    fc.assert(
      fc.property(lengths, durations => {
        const { queue, pass } = setUp();
        const used = durations.map(() => 0);
        for (let seq = 0; used.reduce((sum, each) => sum + each) < 20_000; seq += durations.length) {
          for (const userId of durations.keys()) queue.add(job(seq + userId, userId));
          const { seq: taken, userId } = queue.take(idle)!;
          pass(durations[userId]!);
          used[userId]! += durations[userId]!;
          queue.ended(taken);
        }
        expect(Math.max(...used) - Math.min(...used)).toBeLessThanOrEqual(3 * Math.max(...durations));
      }),
      { numRuns: 20 },
    );
  });

  test("positions are the order in which jobs are taken", () => {
    const waiting = fc.array(fc.nat({ max: 4 }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(waiting, users => {
        const { queue, run } = setUp();
        users.forEach((userId, index) => {
          queue.add(job(index + 1, userId));
        });
        const positions = users.map((_, index) => queue.position(index + 1));
        const taken = users.map(() => run(50)!.seq);
        expect(positions.map((_, index) => taken.indexOf(index + 1))).toEqual(positions);
        expect(queue.depth("sim")).toBe(0);
      }),
    );
  });

  test("a QPU that is busy is passed over, and only its own jobs wait", () => {
    const { queue } = setUp();
    addAll(queue, [job(1, 1, "qpu"), job(2, 1)]);
    expect(queue.take({ busyQpus: new Set(["qpu"]) })?.seq).toBe(2);
    expect(queue.take({ busyQpus: new Set(["qpu"]) })).toBeUndefined();
    expect(queue.take(idle)?.seq).toBe(1);
  });

  test("a user with as many running jobs as the tier allows waits for one of them to end", () => {
    const { queue } = setUp();
    addAll(
      queue,
      [1, 2, 3].map(seq => ({ ...job(seq, 1), tier: "free" })),
    );
    expect([queue.take(idle)?.seq, queue.take(idle)?.seq, queue.take(idle)]).toEqual([1, 2, undefined]);
    queue.ended(1);
    expect(queue.take(idle)?.seq).toBe(3);
  });

  test("the express slot is for users of whom nothing runs, and takes no job twice", () => {
    const { queue } = setUp();
    const express = { ...idle, isExpress: true };
    addAll(queue, [job(1, 1), job(2, 1), job(3, 2)]);
    queue.take(idle);
    expect(queue.take(express)?.seq).toBe(3);
    queue.putBack(3, "long");
    expect(queue.hasNext(express)).toBe(false);
    expect(queue.position(3)).not.toBeNull();
    queue.remove(2);
    expect(queue.take(idle)?.seq).toBe(3);
  });

  test("a job that was taken and is lost to another worker costs its user nothing, and tells nothing of how long jobs take", () => {
    const { queue, run, pass } = setUp();
    addAll(queue, [job(1, 1), job(2, 1), job(3, 2)]);
    expect(queue.take(idle)?.seq).toBe(1);
    pass(1000);
    queue.lost(1);
    expect([run(5), run(5)].map(each => each?.seq)).toEqual([2, 3]);
  });

  test("a job that ran elsewhere, and waits again before that is said to have ended, counts as running once", () => {
    const { queue, run } = setUp();
    for (let seq = 1; seq <= 9; seq += 1) {
      const waiting = { ...job(seq, 1), tier: "free" };
      queue.add(waiting);
      queue.claimedElsewhere(seq);
      queue.add(waiting);
      expect(run(5)?.seq).toBe(seq);
    }
  });

  test("who comes back after a while has saved up nothing, and owes nothing", () => {
    const { queue, run } = setUp();
    for (let seq = 1; seq <= 100; seq += 1) {
      queue.add(job(seq, 1));
      run(50);
    }
    addAll(
      queue,
      [200, 201, 202, 203].flatMap(seq => [job(seq, 1), job(seq + 100, 2)]),
    );
    const order = Array.from({ length: 8 }, () => run(50)!.userId);
    expect(order.slice(0, 4).sort()).toEqual([1, 1, 2, 2]);
  });
});
