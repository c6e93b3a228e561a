import fc from "fast-check";
import { expect, test } from "vitest";
import { packCounts, packMeasurements, unpackCounts, unpackMeasurements } from "../../src/contract/packed.ts";
import { unpackLines } from "../../src/service/jobs/results.ts";
import { type Circuit, compile, simulate, simulateNoisy, uniformNoise } from "../../src/simulation/index.ts";

/** Counts by code, with a pattern of as many bits among other characters. */
const coded = fc.integer({ min: 0, max: 32 }).chain(bits =>
  fc.record({
    pattern: fc
      .shuffledSubarray([..."01 01 10"])
      .chain(rest => fc.shuffledSubarray([...rest, ..."?".repeat(bits)], { minLength: rest.length + bits }))
      .map(characters => characters.join("")),
    counted: fc
      .uniqueArray(fc.tuple(fc.nat({ max: 2 ** bits - 1 }), fc.integer({ min: 1, max: 2 ** 32 - 1 })), {
        selector: ([code]) => code,
        maxLength: 40,
      })
      .map(rows => rows.sort(([a], [b]) => a - b)),
  }),
);
const packed = ({ pattern, counted }: { pattern: string; counted: [number, number][] }) =>
  packCounts({
    pattern,
    codes: Uint32Array.from(counted, ([code]) => code),
    counts: Uint32Array.from(counted, ([, count]) => count),
  });

test("packed counts are unpacked to the bit strings that their codes stand for", () => {
  fc.assert(
    fc.property(coded, given => {
      const bits = given.pattern.split("?").length - 1;
      const expected = given.counted.map(([code, count]) => {
        const digits = bits === 0 ? [] : [...code.toString(2).padStart(bits, "0")];
        return [given.pattern.replaceAll("?", () => digits.shift()!), count];
      });
      expect(unpackCounts(packed(given))).toEqual(Object.fromEntries(expected));
    }),
  );
});

const wideRows = fc.integer({ min: 33, max: 140 }).chain(bits =>
  fc.record({
    pattern: fc.constantFrom(" ", "0", "").map(between => "?".repeat(bits - 20) + between + "?".repeat(20)),
    rows: fc.uniqueArray(
      fc.array(fc.nat({ max: 1 }), { minLength: bits, maxLength: bits }).map(row => row.join("")),
      { maxLength: 30 },
    ),
  }),
);

test("codes of more than 32 bits are packed and unpacked, as counts and as a memory", () => {
  fc.assert(
    fc.property(wideRows, fc.array(fc.nat({ max: 29 })), ({ pattern, rows }, order) => {
      rows.sort();
      const codesOf = (list: readonly string[]) =>
        Uint32Array.from(
          list.flatMap(row => row.padStart(32 * Math.ceil(row.length / 32), "0").match(/.{32}/g)!),
          word => Number.parseInt(word, 2),
        );
      const written = (row: string) => {
        let at = 0;
        return pattern.replace(/\?/g, () => row[at++]!);
      };
      const counts = Uint32Array.from(rows, (_, i) => i + 1);
      const counted = packCounts({ pattern, codes: codesOf(rows), counts });
      expect(Object.entries(unpackCounts(counted)!)).toEqual(rows.map((row, i) => [written(row), i + 1]));
      if (rows.length > 1)
        expect(
          unpackCounts({
            ...counted,
            codes: packCounts({ pattern, codes: codesOf(rows.toReversed()), counts }).codes,
          }),
        ).toBeNull();
      const shots = rows.length > 0 ? order.map(place => rows[place % rows.length]!) : [];
      const packed = packMeasurements({ pattern, codes: codesOf(shots) }, { a: [0, 3], b: [1, 2] });
      const read = unpackMeasurements(JSON.parse(JSON.stringify(packed)))!;
      expect(read.measurements).toEqual(shots.map(written));
      expect(read.outputs).toEqual(read.measurements.map(key => ({ a: key.slice(0, 3), b: key[1] })));
    }),
  );
});

test("what is no packed memory is not unpacked, and nothing is thrown", () => {
  const right = packMeasurements({ pattern: "1??", codes: Uint32Array.of(0, 3, 1) });
  expect(unpackMeasurements(right)).toEqual({ measurements: ["100", "111", "101"] });
  for (const wrong of [
    null,
    "",
    { ...right, pattern: 1 },
    { ...right, pattern: "?" },
    { ...right, pattern: "?".repeat(9) },
    { ...right, codes: "%" },
    { pattern: "?".repeat(2 ** 22 + 1), codes: "" },
    { pattern: "0".repeat(60_000), codes: "AAAA".repeat(400) },
    { pattern: "0", codes: "AAAA".repeat(400), outputs: { ["a".repeat(60_000)]: [0, 1] } },
    { pattern: "0", codes: "AQ==" },
    ...[1, "a", [1], { a: 1 }, { a: [3] }, { a: ["0", 1] }, { a: [0, 4] }, { a: [-1, 1] }, { a: [2, 1] }].map(
      outputs => ({ ...right, outputs }),
    ),
  ])
    expect(unpackMeasurements(wrong)).toBeNull();
  fc.assert(
    fc.property(
      fc.record({ pattern: fc.string(), codes: fc.base64String(), outputs: fc.jsonValue() }),
      value => {
        unpackMeasurements(value);
      },
    ),
  );
});

test("what is no packed counts is not unpacked, and nothing is thrown", () => {
  const right = packCounts({ pattern: "??", codes: Uint32Array.of(0, 3), counts: Uint32Array.of(5, 200) });
  expect(unpackCounts(right)).toEqual({ "00": 5, "11": 200 });
  const wrong: unknown[] = [
    ...[null, 1, "x", [], {}],
    { ...right, pattern: "?" },
    { ...right, pattern: "?".repeat(33) },
    { ...right, codes: right.counts },
    { ...right, codes: "AAA" },
    { ...right, codes: "%" },
    { ...right, counts: "gA==" },
    { ...right, codes: "AAA=" },
    { ...right, counts: "BQ==" },
    { ...right, counts: "//////8P" },
  ];
  for (const value of wrong) expect(unpackCounts(value), JSON.stringify(value)).toBeNull();
  fc.assert(
    fc.property(
      fc.record({ pattern: fc.string(), codes: fc.base64String(), counts: fc.base64String() }),
      value => {
        const counts = unpackCounts(value);
        if (counts) for (const count of Object.values(counts)) expect(count).toBeGreaterThanOrEqual(0);
      },
    ),
  );
});

test("stored lines are passed on with their counts unpacked, wherever they are cut", async () => {
  const data = [
    {
      packedCounts: packed({
        pattern: "?0 ?",
        counted: [
          [1, 2],
          [3, 4],
        ],
      }),
      measurementCounts: null,
      registers: [],
    },
    { measurementCounts: { "01": 3 }, registers: [] },
    { measurementCounts: null, packedCounts: null },
    {
      packedMeasurements: packMeasurements(
        { pattern: "?0 ?", codes: Uint32Array.of(3, 1) },
        { a: [3, 4], b: [0, 2] },
      ),
      measurementCounts: { "00 1": 1, "10 1": 1 },
    },
  ];
  const unpacked = [
    { registers: [], measurementCounts: { "00 1": 2, "10 1": 4 } },
    data[1],
    data[2],
    {
      measurementCounts: { "00 1": 1, "10 1": 1 },
      measurements: [
        [1, 0, 1],
        [0, 0, 1],
      ],
      outputs: [
        { a: "1", b: "10" },
        { a: "1", b: "00" },
      ],
    },
  ];
  const lines = fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(lines, fc.array(fc.nat({ max: 300 }), { maxLength: 8 }), async (places, cuts) => {
      const text = places.map(place => JSON.stringify(data[place])).join("\n");
      const ends = [0, ...cuts.sort((a, b) => a - b), text.length];
      const pieces = ends.slice(1).map((end, i) => text.slice(ends[i], end));
      const written = (await Array.fromAsync(unpackLines(pieces))).join("").split("\n");
      expect(written.map(line => JSON.parse(line))).toEqual(places.map(place => unpacked[place]));
    }),
  );
});

test("many shots of one state are counted as numbers, which pack to the same counts", () => {
  const data =
    'include "stdgates.inc"; qubit[12] q; bit[3] a; bit[12] c; h q; rx(1) q[3]; cx q[3], q[5]; a[1] = measure q[0]; c = measure q;';
  const result = simulate(compile({ format: "qasm3", data }), { shots: 30_000, seed: 4 });
  const { codedCounts } = result;
  expect(codedCounts!.pattern).toMatch(/^\?+ 0\?0$/);
  const unpacked = unpackCounts(packCounts(codedCounts!))!;
  expect(unpacked).toEqual(result.measurementCounts);
  expect(Object.keys(unpacked)).toEqual(Object.keys(result.measurementCounts));
});

test("many shots of stabilizers, with noise and with a memory, are counted as numbers, as they are one by one", () => {
  const circuit = (more = "") =>
    compile({
      format: "qasm3",
      data: `include "stdgates.inc"; qubit[12] q; bit[3] a; bit[12] c; ${more} h q; cx q[3], q[5]; s q; h q[5]; a[1] = measure q[0]; c = measure q;`,
    });
  const errors = [{ channel: "depolarizing", probability: 0.05 }] as const;
  const readout = { zeroGivenOne: 0.1, oneGivenZero: 0.02 };
  const noise = uniformNoise({ oneQubit: errors, twoQubit: errors, readout }, 12);
  for (const run of [
    (of: Circuit, memory: boolean) => simulate(of, { shots: 3000, seed: 4, memory, method: "stabilizer" }),
    (of: Circuit, memory: boolean) =>
      simulateNoisy(of, noise, { shots: 3000, seed: 4, memory, method: "stabilizer" }),
  ]) {
    const counted = run(circuit(), false);
    const kept = run(circuit(), true);
    const unpacked = unpackCounts(packCounts(counted.codedCounts!))!;
    expect(unpacked).toEqual(counted.measurementCounts);
    expect(unpackCounts(packCounts(kept.codedCounts!))).toEqual(unpacked);
    const wide = run(circuit("bit[30] d;"), true);
    expect(unpackCounts(packCounts(wide.codedCounts!))).toEqual(wide.measurementCounts);
    expect(wide.measurements!.map(key => key.slice(31))).toEqual(kept.measurements);
    const outcomes = Object.groupBy(kept.measurements!, key => key);
    for (const [key, shots] of Object.entries(outcomes)) expect(unpacked[key]).toBe(shots!.length);
    expect(Object.keys(unpacked)).toEqual(Object.keys(outcomes).sort());
  }
});
