import { describe, expect, test } from "vitest";
import {
  analyzeProgram,
  type BitOrder,
  type BitOrderEvidence,
  inferBitOrder,
} from "../../src/notebook/results/bit-order.ts";
import { Result } from "../../src/notebook/results/result.ts";

type Counts = { [outcome: string]: number };

const [before, after] = ["2026-03-05T10:00:00Z", "2026-10-02T10:00:00Z"];
const measured = (gates: string, more = "") => `
  OPENQASM 3.0;
  include "stdgates.inc";
  qubit[3] q;
  bit[3] c;
  ${more}
  ${gates}
  c = measure q;
`;
const flipFirst = measured("x q[0];");
const ghz = measured("h q[0]; cx q[0], q[1]; cx q[1], q[2];");
const twoRegisters = `
  OPENQASM 3.0;
  qubit[3] q;
  bit[2] a;
  bit b;
  a[0] = measure q[0]; a[1] = measure q[1]; b = measure q[2];
`;

const orderOf = (values: Counts, program: string | undefined, more: Partial<BitOrderEvidence> = {}) =>
  inferBitOrder({ values, program: analyzeProgram(program, undefined), ...more }).order;

describe("the order of bits", () => {
  test("is told by the program where it is not symmetric, whatever the device", () => {
    expect(orderOf({ "001": 970, "000": 30 }, flipFirst)).toBe("msb-first");
    expect(orderOf({ "100": 970, "000": 30 }, flipFirst)).toBe("lsb-first");
    expect(
      orderOf({ "100": 970, "000": 30 }, flipFirst, { deviceQrn: "aws:iqm:qpu:garnet", date: after }),
    ).toBe("lsb-first");
  });

  test("is told by exact probabilities as by counts", () => {
    expect(orderOf({ "100": 1 }, flipFirst, { exact: true })).toBe("lsb-first");
    expect(orderOf({ "100": 1 }, flipFirst)).toBe("unknown");
  });

  test("is told by the widths of the program's registers", () => {
    expect(orderOf({ "0 00": 7 }, twoRegisters)).toBe("msb-first");
    expect(orderOf({ "00 0": 7 }, twoRegisters)).toBe("lsb-first");
  });

  test("is not told by a symmetric program, one that does not compile, is too wide, or has no values for its inputs", () => {
    expect(orderOf({ "000": 500, "111": 500 }, ghz)).toBe("unknown");
    expect(orderOf({ "001": 500 }, "nonsense")).toBe("unknown");
    expect(orderOf({ "001": 500 }, measured("rx(t) q[0];", "input float t;"))).toBe("unknown");
    const wide = "OPENQASM 3.0; qubit[20] q; bit[20] c; U(pi, 0, pi) q[0]; c = measure q;";
    expect(orderOf({ [`${"0".repeat(19)}1`]: 500 }, wide)).toBe("unknown");
    expect(orderOf({ "001": 500 }, "x".repeat(200_000))).toBe("unknown");
  });

  test("knows the values that a job gave to the program's inputs", () => {
    const program = analyzeProgram(measured("rx(t) q[0];", "input float t;"), { t: Math.PI });
    expect(inferBitOrder({ values: { "100": 50 }, program }).order).toBe("lsb-first");
  });

  test.each<[string, string | null, BitOrder["order"]]>([
    ["aws:iqm:qpu:garnet", before, "msb-first"],
    ["ionq:ionq:qpu:forte-1", null, "msb-first"],
    ["svc:svc:sim:qir-sv", before, "lsb-first"],
    ["svc:svc:sim:qir-sv", after, "msb-first"],
    ["svc:svc:sim:qir-sv", null, "unknown"],
    ["rigetti:rigetti:qpu:cepheus", before, "lsb-first"],
    ["rigetti:rigetti:qpu:cepheus", "2026-09-01T00:00:00Z", "msb-first"],
    ["aws:rigetti:qpu:cepheus", before, "msb-first"],
    ["oqc:oqc:qpu:toshiko", before, "lsb-first"],
    ["azure:rigetti:qpu:x", before, "unknown"],
    ["nobody:knows:qpu:this", before, "unknown"],
    ["nobody:knows:qpu:this", after, "msb-first"],
    ["svc:svc:sim:statevector", before, "msb-first"],
    ["lab:lab:sim:stabilizer", before, "msb-first"],
    ["lab:other:sim:stabilizer", before, "unknown"],
    ["ibm:emulated:qpu:perth", null, "msb-first"],
    ["", "yesterday", "unknown"],
  ])("of %s at %s is %s", (deviceQrn, date, order) => {
    const found = inferBitOrder({
      values: { "000": 5, "110": 3 },
      deviceQrn,
      date,
      experimentType: "gate_model",
    });
    expect(found.order).toBe(order);
    expect(found.reason).toMatch(/^[A-Z].*\.$/s);
  });

  test("is certain where the service names the registers, and for a single bit", () => {
    const old = { deviceQrn: "rigetti:rigetti:qpu:cepheus", date: before };
    expect(inferBitOrder({ values: { "01": 1 }, namesRegisters: true, ...old }).order).toBe("msb-first");
    expect(inferBitOrder({ values: { "1": 1 }, ...old }).order).toBe("msb-first");
  });

  test("is unknown without bits", () => {
    expect(orderOf({}, ghz)).toBe("unknown");
    expect(orderOf({ "0": 1, "7": 2 }, ghz)).toBe("unknown");
  });
});

describe("a result", () => {
  const received = (counts: Counts, deviceQrn: string, program?: string) =>
    Result.from({
      status: "COMPLETED",
      resultData: { measurementCounts: counts },
      job: { deviceQrn, experimentType: "gate_model", timeStamps: { createdAt: before } },
      ...(program && { context: { program } }),
    });
  const axisOf = (result: Result) =>
    (result.histogram().spec.encoding as { x: { axis: { title: string } } }).x.axis.title;

  test("that is mirrored has its bits numbered from the left, on the axis as in marginals", () => {
    const mirrored = received({ "100": 97, "000": 3 }, "rigetti:rigetti:qpu:cepheus", flipFirst);
    expect(mirrored.bitOrder.order).toBe("lsb-first");
    expect(axisOf(mirrored)).toBe("c[0] c[1] c[2]");
    expect(mirrored.marginal([0]).counts).toEqual({ "1": 97, "0": 3 });
    const turned = mirrored.reverseBits();
    expect(turned.counts).toEqual({ "001": 97, "000": 3 });
    expect(turned.bitOrder.order).toBe("msb-first");
    expect(axisOf(turned)).toBe("c[2] c[1] c[0]");
    expect(turned.marginal([0]).counts).toEqual({ "1": 97, "0": 3 });
  });

  test("that is mirrored and has no names has its bits numbered from the left too", () => {
    const mirrored = received({ "1 00": 97 }, "oqc:oqc:qpu:toshiko");
    expect(axisOf(mirrored)).toBe("bit 0   bit 1 bit 2");
    expect(mirrored.marginal([0]).counts).toEqual({ "1": 97 });
  });

  test("of unknown order says so on its axis, and in what is made of it", () => {
    const unknown = received({ "100": 97, "001": 3 }, "nobody:knows:qpu:this");
    expect(axisOf(unknown)).toBe("bit order unknown");
    expect(unknown.histogram().toText()).toMatch(/^ {2}bit order unknown$/m);
    expect(unknown.compare(unknown).toText()).toMatch(/^ {2}bit order unknown$/m);
    expect(axisOf(unknown.marginal([0, 1]))).toBe("bit order unknown");
    expect(unknown.reverseBits().bitOrder.order).toBe("unknown");
    expect(unknown.bitOrder.reason).toContain("nobody:knows:qpu:this");
  });

  test("is compared with one of the other order bit by bit, where both orders are known", () => {
    const mirrored = received({ "100": 97, "000": 3 }, "rigetti:rigetti:qpu:cepheus", flipFirst);
    const usual = received({ "001": 97, "000": 3 }, "aws:iqm:qpu:garnet", flipFirst);
    const unknown = received({ "100": 97, "000": 3 }, "nobody:knows:qpu:this");
    for (const [one, other] of [
      [mirrored, usual],
      [usual, mirrored],
    ] as const) {
      expect(one.totalVariation(other)).toBe(0);
      expect(one.hellinger(other)).toBe(0);
      expect(one.fidelity(other)).toBe(1);
      const chart = one.compare(other);
      expect(chart.toText()).toContain("001");
      expect(chart.toText()).not.toContain("100");
    }
    expect(mirrored.totalVariation(mirrored)).toBe(0);
    expect(mirrored.compare(mirrored).toText()).toContain("100");
    expect(unknown.totalVariation(usual)).toBeCloseTo(0.97);
    expect(unknown.totalVariation(mirrored)).toBe(0);
  });

  test("is numbered with bit 0 as the lowest in either order", () => {
    const mirrored = received({ "100": 97, "110": 3 }, "rigetti:rigetti:qpu:cepheus", flipFirst);
    const usual = received({ "001": 97, "011": 3 }, "aws:iqm:qpu:garnet", flipFirst);
    for (const one of [mirrored, usual, mirrored.reverseBits(), usual.reverseBits()]) {
      expect(one.decimalCounts()).toEqual({ "1": 97, "3": 3 });
      expect(one.hexCounts()).toEqual({ "0x1": 97, "0x3": 3 });
    }
    expect(mirrored.marginal([1, 2]).decimalCounts()).toEqual({ "0": 97, "1": 3 });
    expect(received({ "100": 1 }, "nobody:knows:qpu:this").decimalCounts()).toEqual({ "4": 1 });
    const registers = received({ "100 01": 1 }, "oqc:oqc:qpu:toshiko");
    expect(registers.decimalCounts()).toEqual({ "17": 1 });
  });

  test("keeps its order and the reason through JSON", () => {
    const mirrored = received({ "100": 97 }, "oqc:oqc:qpu:toshiko");
    const { job, ...alone } = JSON.parse(JSON.stringify(mirrored));
    expect(job.deviceQrn).toBe("oqc:oqc:qpu:toshiko");
    expect(Result.from(alone).bitOrder).toEqual(mirrored.bitOrder);
  });

  test("takes names of bits from the program where the service has none", () => {
    expect(axisOf(received({ "1 00": 97 }, "aws:iqm:qpu:garnet", twoRegisters))).toBe("b[0]   a[1] a[0]");
  });

  test("of a batch has the order that another program of its job tells", () => {
    const { jobRecord: job } = received({ "00": 1 }, "nobody:knows:qpu:this");
    const [told, symmetric] = [
      new Result({ status: "COMPLETED", resultData: { measurementCounts: { "100": 50 } } }, job, {
        program: flipFirst,
      }),
      new Result({ status: "COMPLETED", resultData: { measurementCounts: { "000": 9, "111": 9 } } }, job, {
        program: ghz,
      }),
    ];
    expect(told.bitOrder.order).toBe("lsb-first");
    expect(symmetric.bitOrder).toEqual({
      order: "lsb-first",
      reason: expect.stringContaining("Another program"),
    });
  });

  test("made by hand has Ketbook's own order", () => {
    const made = Result.from({ resultData: { measurementCounts: { "01": 1 } } });
    expect(made.bitOrder.order).toBe("msb-first");
    expect(
      Result.from({ status: "COMPLETED", resultData: { measurementCounts: { "01": 1 } } }).bitOrder.order,
    ).toBe("unknown");
  });
});
