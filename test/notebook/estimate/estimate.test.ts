import { describe, expect, test, vi } from "vitest";
import {
  CostLimitError,
  circuits,
  connect,
  estimate,
  estimation,
  job,
  jobs,
  KetbookError,
  linspace,
  qasm,
  run,
} from "../../../src/index.ts";
import type { EstimateService } from "../../../src/notebook/estimate/prepare.ts";
import { workOut } from "../../../src/notebook/estimate/work.ts";
import { Job } from "../../../src/notebook/jobs/job.ts";
import { bundleOf } from "../bundle.ts";
import { useServiceHere } from "../own-service.ts";

await useServiceHere();
// Several estimates take a while on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

const ansatz = qasm`OPENQASM 3.0; include "stdgates.inc"; qubit[2] q; x q[0]; ry(-0.2235) q[1]; cx q[1], q[0];`;
const energy = "-1.0524 + 0.3979*Z0 - 0.3979*Z1 - 0.0113*Z0 Z1 + 0.1809*X0 X1";
const measured = ansatz.data.replace("x q[0]", "bit[2] c; x q[0]").concat("c = measure q;");
const options = { seed: 3, timing: "instant" } as const;
const truth = -1.85720198;
const jobsOf = (id: string) => jobs({ tags: { "ketbook-estimate": id } });

describe("an estimate", () => {
  test("is computed by a simulator, which says so", async () => {
    const found = await estimate(ansatz, energy).on("statevector");
    expect(found.isExact).toBe(true);
    expect(found.value).toBeCloseTo(truth, 6);
    expect([found.low, found.high, found.shots]).toEqual([found.value, found.value, 0]);
    expect(bundleOf(found)["text/plain"]).toMatch(/exact[\s\S]*in the final state, without shots/);
  });

  test("of gates on single qubits is not extrapolated, since nothing is to be folded", async () => {
    const plus = 'OPENQASM 3.0; include "stdgates.inc"; qubit q; h q;';
    const found = await estimate(plus, "Z0").on("perth").shots(2000).options(options);
    expect(found.verdict).toBe("resolved");
    expect(found.high - found.low).toBeLessThan(0.2);
    expect([found.low < 0.02, found.high > -0.02]).toEqual([true, true]);
  });

  test("of a state that leaves something out is not called exact", async () => {
    const wide = circuits.random(10, 10, { seed: 3 });
    const found = await estimate(wide, "Z0 Z1").on("tensor").options({ maxBondDimension: 4 });
    expect(found.isExact).toBe(false);
    expect(found.low).toBeLessThan(found.high);
    expect(bundleOf(found)["text/plain"]).toMatch(
      /approximate[\s\S]*in the final state, which is approximate/,
    );
  });

  test("on an emulated QPU comes within the error that was asked for, with what it rests on", async () => {
    const found = await estimate(ansatz, energy).on("perth").within(0.03).options(options);
    expect(found.value - found.low).toBeLessThanOrEqual(0.03);
    expect(Math.abs(found.value - truth)).toBeLessThan(0.045);
    expect(Math.abs(found.raw - truth)).toBeGreaterThan(0.03);
    expect(found.verdict).toBe("resolved");
    expect(found.rounds.length).toBeLessThanOrEqual(5);
    expect(found.rounds[0]!.round).toBe(1);
    expect(found.shots).toBe(found.rounds.reduce((sum, { shots }) => sum + shots, 0));
    expect(found.terms.map(({ term }) => term).sort()).toEqual(["X0 X1", "Z0", "Z0 Z1", "Z1"]);
    expect(found.statistical + found.systematic).toBeCloseTo(found.value - found.low, 9);
    expect(bundleOf(found)["text/plain"]).toMatch(/Raw +-1\.\d+ ±/);
    for (const chart of [found.chart(), found.convergence(), found.extrapolation(), found.groups()])
      expect(chart.toSVG()).toContain("<svg");
    expect(bundleOf(found.groups())["text/plain"]).toMatch(/Z0, Z1, Z0 Z1 · [\d,]+ shots/);
    expect(bundleOf(found.groups())["text/plain"]).toContain("readout");
    const listed = await jobsOf(found.id);
    const again = await estimation(found.id);
    expect([again.value, again.low, again.cost]).toEqual([found.value, found.low, found.cost]);
    expect(await jobsOf(found.id)).toHaveLength(listed.length);
    const paid = await Promise.all(found.rounds.map(({ jobQrn }) => job(jobQrn).cost));
    expect(found.cost).toBeCloseTo(
      paid.reduce<number>((sum, cost) => sum + cost!, 0),
      6,
    );
  });

  test("over an input shows a band, and several observables and programs have values of their own", async () => {
    const turned = qasm`OPENQASM 3.0; include "stdgates.inc"; input float theta; qubit q; ry(theta) q;`;
    const swept = await estimate(turned, ["Z0", "X0"])
      .over({ theta: linspace(0, 3, 4) })
      .on("perth")
      .shots(16_000)
      .options(options);
    expect(swept.values).toHaveLength(8);
    const endless = function* () {
      while (true) yield 0.1;
    };
    expect(() => estimate(turned, "Z0").over({ theta: endless() })).toThrow("over: give 1 to 200 points.");
    const far = swept.values.filter(
      ({ inputs, observable, value, low }) =>
        Math.abs(value - (observable === "Z0" ? Math.cos : Math.sin)(inputs.theta as number)) >
        2 * (value - low),
    );
    expect(far).toEqual([]);
    expect(bundleOf(swept)["application/vnd.vegalite.v5+json"]).toBeDefined();
    expect(() => swept.value).toThrow("This estimation has 8 values. Read .values, or .toRows().");
    const pair = await estimate([ansatz, ansatz], ["Z0", "Z1"]).on("statevector");
    expect(pair.toRows().map(({ program, observable }) => [program, observable])).toEqual([
      [0, "Z0"],
      [0, "Z1"],
      [1, "Z0"],
      [1, "Z1"],
    ]);
  });

  test("plans its ways and writes its programs, submitting nothing", async () => {
    const before = (await jobs()).length;
    const plans = await estimate(ansatz, energy).on("perth").plans(0.02);
    expect(plans.map(({ way }) => way)).toEqual(["none", "readout", "readout, zne"]);
    expect(plans[2]!.shots).toBeGreaterThan(plans[0]!.shots);
    for (const plan of plans) expect(plan.error).toBeCloseTo(0.02, 4);
    expect(bundleOf(plans)["text/plain"]).toContain("Nothing was submitted.");
    const programs = await estimate(ansatz, energy).on("perth").programs();
    expect(programs).toHaveLength(28);
    expect(programs[0]!.data).toContain("measure $");
    expect((await jobs()).length).toBe(before);
  });

  test("measures after what a program measured in between", async () => {
    const reset = qasm`OPENQASM 3.0; include "stdgates.inc"; qubit[2] q; bit c; h q[0]; c = measure q[0]; if (c) x q[1]; bit[2] d; d = measure q;`;
    const { value, high } = await estimate(reset, "Z0 Z1")
      .on("perth")
      .mitigate("readout")
      .shots(8000)
      .options(options);
    expect(Math.abs(value - 1)).toBeLessThan(0.15 + high - value);
  });
});

test("an estimate of very many shots says that its interval depends on an assumption, one of few does not", async () => {
  const notesOf = async (shots: number) =>
    (await estimate(ansatz, energy).on("perth").shots(shots).options(options)).notes.join(" ");
  expect(await notesOf(2_000_000)).toContain("assumed and not measured");
  expect(await notesOf(10_000)).not.toContain("assumed");
});

describe("the credits of an estimate", () => {
  test("are never more than its limit, which a pilot round, or one round alone, is cut down to", async () => {
    await run(measured).on("perth").options(options);
    for (const limit of [450, 800, 1500]) {
      const found = await estimate(ansatz, energy).on("perth").within(0.001).maxCost(limit).options(options);
      expect(found.cost).toBeLessThanOrEqual(limit);
      expect(found.cost).toBeGreaterThan(0.5 * limit);
      expect(found.notes.join()).toContain("The interval is wider than within(0.001)");
    }
  });

  test("are planned from the quotes of a device with fixed prices that nobody used before", async () => {
    const found = await estimate(ansatz, energy).on("garnet").maxCost(4000).options(options);
    expect(found.cost).toBeLessThanOrEqual(4000);
    expect(found.cost).toBeGreaterThan(2000);
  });

  test("are not spent on a device that can quote nothing, as its prices depend on jobs that it never had", async () => {
    const unquoted = estimate(ansatz, energy).on("auckland").maxCost(4000).options(options);
    await expect(unquoted).rejects.toThrow("maxCost(4,000) requires a quote, but none is available");
    expect(await jobsOf(unquoted.id)).toHaveLength(0);
  });

  test("buy fewer programs where all of them are quoted above the limit, and it says what was left out", async () => {
    const limited = (limit: number) =>
      estimate(ansatz, energy).on("garnet").within(0.02).maxCost(limit).options(options);
    const plans = await limited(400).plans();
    expect(plans.at(-1)!.omits).toContain("2 of 4 copies");
    const asked = limited(150).mitigate("readout", "zne");
    await expect(asked).rejects.toThrow(CostLimitError);
    const found = await limited(150);
    expect(found.cost).toBeLessThanOrEqual(150);
    expect(found.cost).toBeGreaterThan(75);
    expect(found.notes[0]).toBe(
      "To stay within maxCost(150), this was left out: the extrapolation to no noise, the correction of the readout.",
    );
    expect(found.terms.every(({ kind }) => kind === "measured")).toBe(true);
  });

  test("are spent well where programs cost much: a higher limit gives no worse answer", async () => {
    const bell = qasm`OPENQASM 3.0; include "stdgates.inc"; qubit[2] q; h q[0]; cx q[0], q[1];`;
    let least = Number.POSITIVE_INFINITY;
    // Of several limits, those at which the programs or the rounds change.
    for (const limit of [430, 500, 1000, 1200, 1210, 1500, 1930]) {
      const found = await Promise.all(
        [1, 2, 3].map(seed =>
          estimate(bell, "X0 X1")
            .on("garnet")
            .maxCost(limit)
            .options({ ...options, seed }),
        ),
      );
      for (const { cost } of found) {
        expect(cost).toBeLessThanOrEqual(limit);
        expect(cost).toBeGreaterThan(0.95 * limit);
      }
      const half = found.reduce((sum, { value, low }) => sum + (value - low) / found.length, 0);
      expect(half, `${limit} credits`).toBeLessThan(1.15 * least);
      least = Math.min(least, half);
    }
    expect(least).toBeLessThan(0.035);
  });

  test("are not all spent where fewer suffice for the error that is asked for", async () => {
    const found = await estimate(ansatz, energy).on("garnet").within(0.05).maxCost(4000).options(options);
    expect(found.value - found.low).toBeLessThanOrEqual(0.05);
    expect(found.cost).toBeLessThan(2000);
  });

  test("are not spent where they do not suffice for a round", async () => {
    const small = estimate(ansatz, energy).on("perth").maxCost(10).options(options);
    await expect(small).rejects.toThrow(CostLimitError);
    expect(await jobsOf(small.id)).toHaveLength(0);
  });
});

test("an estimate that is killed anywhere is taken up again: the same value, and nothing bought twice", async () => {
  const prepared = (id: string, ...ways: ("readout" | "zne")[]) =>
    estimate(ansatz, energy)
      .on("perth")
      .mitigate(...ways)
      .shots(6000)
      .options(options)
      .as(id);
  /** Kills at each request; two of them, in each round, also with many programs per job. */
  const kills = [
    ...Array.from({ length: 10 }, (_, at) => ({ kill: at + 1, ways: ["readout"] as const })),
    ...[5, 8].map(kill => ({ kill, ways: ["readout", "zne"] as const })),
  ];
  const wholes = {
    1: await prepared("whole", "readout"),
    2: await prepared("whole-zne", "readout", "zne"),
  };
  for (const { kill, ways } of kills) {
    const whole = wholes[ways.length];
    expect(whole.rounds.length).toBeGreaterThan(1);
    const id = `killed-${kill}-${ways.join("-")}`;
    let calls = 0;
    const dying = <T extends object>(target: T): T =>
      new Proxy(target, {
        get(_, name) {
          const member = Reflect.get(target, name);
          if (typeof member === "object" && member !== null) return dying(member as object);
          if (typeof member !== "function") return member;
          return (...args: unknown[]) => {
            const answer = member.apply(target, args);
            if (typeof answer?.then !== "function" || Symbol.asyncIterator in answer) return answer;
            calls += 1;
            return calls === kill ? answer.then(() => Promise.reject(new Error("killed"))) : answer;
          };
        },
      });
    const ketbook = connect();
    const service: EstimateService = {
      client: dying(ketbook.client),
      names: ketbook.session.names,
      results: (record, wait) => dying(new Job(ketbook.session, record)).results(wait),
    };
    const estimated = prepared(id, ...ways);
    const settings = Reflect.get(estimated, "settings") as never;
    await workOut(service, { id, settings, device: "perth" }).catch(error =>
      expect(error.message).toBe("killed"),
    );
    const begun = (await jobsOf(id)).length > 0;
    const again = begun ? await estimation(id) : await prepared(id, ...ways);
    expect([id, again.value]).toEqual([id, whole.value]);
    expect(await jobsOf(id)).toHaveLength(whole.rounds.length);
  }
});

test("a name may have any characters, and each its own rounds", async () => {
  for (const id of ["Bell \u03b1", "Bell \u03b2", "a\nb"]) {
    const named = () => estimate(measured, "Z0").as(id).on("statevector");
    expect([(await named()).id, (await named()).id]).toEqual([id, id]);
    expect((await estimation(id)).id).toBe(id);
    expect(await jobsOf(id)).toHaveLength(1);
  }
});

test("a name stays with what it names: it is read again, and refused to anything else", async () => {
  const named = (observable: string) => estimate(measured, observable).as("bought once").on("statevector");
  const found = await named("Z0");
  expect([found.id, (await named("Z0").options({})).value]).toEqual(["bought once", found.value]);
  expect(await jobsOf("bought once")).toHaveLength(1);
  const others = [
    named("Z1"),
    named("Z0").shots(500),
    named("Z0").on("density"),
    estimate(ansatz, "Z0").as("bought once"),
  ];
  for (const other of others)
    await expect(other).rejects.toThrow(
      /"bought once" is the name of an estimate of Z0 .*Choose another name/,
    );
  expect(await jobsOf("bought once")).toHaveLength(1);
  expect((await estimation("bought once")).value).toBe(found.value);
});

describe("an error of an estimate teaches", () => {
  const turn = "OPENQASM 3.0; input float a; qubit q; rx(a) q;";
  const failures: readonly [string, () => unknown, string][] = [
    [
      "a constant",
      () => estimate(ansatz, ["3", "Z0 - Z0"]).on("perth"),
      "estimate: 3, Z0 - Z0 is a constant",
    ],
    [
      "too few shots",
      () => estimate(ansatz, "Z0").shots(3).on("perth"),
      "estimate: 3 shots are fewer than its",
    ],
    [
      "plans for an error of 0",
      () => estimate(ansatz, "Z0").plans(0),
      "plans(0): the error must be a number above 0",
    ],
    [
      "an input that is given twice",
      () =>
        estimate(turn, "Z")
          .inputs({ a: 1 })
          .over({ a: [0, 2] }),
      "estimate: a has values from inputs(…) and from over(…)",
    ],
    [
      "an observable that is none",
      () => estimate(ansatz, "0.5*A0"),
      'estimate: "0.5*A0" is not an observable.',
    ],
    ["a qubit that is not there", () => estimate(ansatz, "Z7").on("perth"), "there is no qubit 7"],
    [
      "an error of 0",
      () => estimate(ansatz, "Z0").within(0),
      "within(0): the error must be a number above 0",
    ],
    [
      "another mitigation",
      () => estimate(ansatz, "Z0").mitigate("magic" as never),
      'mitigate("magic"): give "readout"',
    ],
    [
      "mitigation of a simulator",
      () => estimate(ansatz, "Z0").mitigate("zne").on("statevector"),
      "is a simulator, which has no device errors",
    ],
    [
      "an estimate that nobody made",
      () => estimation("nobody"),
      'estimation("nobody"): the service has no jobs of that estimate',
    ],
    [
      "programs of several widths",
      () => estimate([ansatz, "OPENQASM 3.0; qubit q;"], "Z0").on("perth"),
      "the programs have 2 and 1 qubits",
    ],
  ];
  test.each(failures)("about %s", async (_, make, message) => {
    const failure = await Promise.resolve()
      .then(make)
      .catch((error: Error) => error);
    expect(failure).toBeInstanceOf(KetbookError);
    expect((failure as Error).message).toContain(message);
  });
});
