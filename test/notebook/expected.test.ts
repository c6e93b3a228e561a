import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Displayable } from "../../src/display/bundle.ts";
import { Calibration, Ketbook, noise, type TranspileTarget, timeline, transpile } from "../../src/index.ts";
import { listening, send } from "../client/answering.ts";
import { type Serving, serving } from "../service/serving.ts";
import { bundleOf } from "./bundle.ts";

const program = (body: string, qubits = 3) =>
  `OPENQASM 3.0; include "stdgates.inc"; qubit[${qubits}] q; bit[${qubits}] c; ${body} c = measure q;`;
const ghz = program("h q[0]; cx q[0], q[1]; cx q[1], q[2];");

describe("before a run on a QPU", () => {
  let service: Serving;
  let ketbook: Ketbook;
  beforeAll(async () => {
    service = await serving();
    ketbook = new Ketbook({ url: service.service.url, apiKey: service.service.apiKey });
  });
  afterAll(() => service[Symbol.asyncDispose]());

  /** The text of a value's card, once it has become final. */
  const cardOf = async (value: Displayable & { settled?(): Promise<void> }) => {
    await value.settled?.();
    return String(bundleOf(value)["text/plain"]);
  };
  const fidelityOf = (text: string) => Number(/Expected fidelity\s+([\d.]+) %/.exec(text)?.[1]) / 100;

  test("its card shows the expected fidelity, which falls with gates and idle time and is about what is measured", async () => {
    const expected = fidelityOf(await cardOf(ketbook.run(ghz).on("perth")));
    const long = program("h q[0]; cx q[0], q[1]; delay[20us] q; cx q[1], q[2];");
    expect(fidelityOf(await cardOf(ketbook.run(long).on("perth")))).toBeLessThan(expected);
    const { probabilities } = await ketbook.run(ghz).on("perth").shots(20_000).options({ seed: 1 });
    const found = (probabilities["000"] ?? 0) + (probabilities["111"] ?? 0);
    expect(Math.abs(found - expected)).toBeLessThan(0.05);
  });

  test("a transpiled program says the same fidelity as the card of its run", async () => {
    const options = { optimizationLevel: 3, initialLayout: [1, 3, 5] } as const;
    const expected = fidelityOf(await cardOf(ketbook.run(ghz).on("perth").options(options)));
    const { expectedFidelity } = await transpile(ghz, ketbook.device("perth"), options);
    expect(expectedFidelity).toBeCloseTo(expected, 3);
  });

  test("a simulator's card has none, and neither has that of a program that does not compile", async () => {
    expect(await cardOf(ketbook.run(ghz).on("statevector"))).not.toContain("Expected fidelity");
    expect(await cardOf(ketbook.run("OPENQASM 3.0; qubit q; hh q;").on("perth"))).not.toContain("Expected");
  });

  test("the best qubits are those of all connected sets with the least error, and say why", async () => {
    const device = await ketbook.device("perth");
    const best = await device.best({ qubits: 3 });
    const calibration = await device.calibration();
    const edges = (device.topology as { edges: [number, number][] }).edges;
    const errorOf = ([a, b]: [number, number]) =>
      calibration.edges.gateError
        .cx!.filter(({ source, target }) => [source, target].sort().join() === [a, b].sort().join())
        .map(({ value }) => value)[0]!;
    const readout = (qubit: number) => 1 - calibration.qubits[qubit]!.readoutError!;
    let most = 0;
    for (const one of edges)
      for (const other of edges) {
        const qubits = [...new Set([...one, ...other])];
        if (qubits.length !== 3) continue;
        const fidelity = qubits.reduce(
          (product, qubit) => product * readout(qubit),
          (1 - errorOf(one)) * (1 - errorOf(other)),
        );
        most = Math.max(most, fidelity);
      }
    expect(best.expectedFidelity).toBeCloseTo(most, 2);
    expect(best.couplings).toHaveLength(2);
    expect(best.reason).toMatch(/least known error; two-qubit gates of .* readouts of .*median/);
    expect(await cardOf(best)).toContain("Couplings");
    await expect(device.best({ qubits: 8 })).rejects.toThrow("has 7 qubits, fewer than 8");
    expect(() => device.best({ qubits: 0 })).toThrow();
    expect((await ketbook.device("brisbane").best({ qubits: 20 })).qubits).toHaveLength(20);
  });

  test("its timeline has pulses as blocks, and idle times between them", async () => {
    const chart = await timeline(ghz, ketbook.device("perth"));
    const { data } = chart.spec as unknown as {
      data: { values: { kind: string; start: number; end: number; qubits: string }[] };
    };
    const kinds = new Set(data.values.map(({ kind }) => kind));
    expect(kinds).toEqual(new Set(["one-qubit gate", "two-qubit gate", "measure", "none"]));
    for (const { kind, start, end } of data.values) expect(end > start).toBe(kind !== "none");
    expect(chart.toCSV()).toContain("idle");
    const measured = data.values.filter(({ kind }) => kind === "measure");
    expect(new Set(measured.map(({ end }) => end)).size).toBe(1);
    expect(await cardOf(chart)).toContain("█");
    const layout = [6, 5, 3];
    const placed = await timeline(ghz, ketbook.device("perth"), { initialLayout: layout, title: "GHZ" });
    const { values } = (placed.spec as unknown as { data: typeof data }).data;
    expect(new Set(values.flatMap(({ qubits }) => qubits.split(", ").map(Number)))).toEqual(new Set(layout));
    expect(await cardOf(placed)).toContain("GHZ");
    for (const qubit of layout) {
      expect(placed.toSVG()).toContain(`>$${qubit}</text>`);
      expect(await cardOf(placed)).toMatch(new RegExp(`^ +\\$${qubit} `, "m"));
    }
    expect(() => timeline(ghz, ketbook.device("perth"), { optimizationLevel: 4 as never })).toThrow(
      "timeline: optimizationLevel must be 0, 1, 2 or 3",
    );
    await expect(timeline(ghz, ketbook.device("statevector"))).rejects.toThrow("has no calibration");
    await expect(timeline("OPENQASM 3.0; hh;", ketbook.device("perth"))).rejects.toThrow("timeline:");
  });
});

/** A service with one device whose calibration has some figures and no others. */
async function partlyCalibrated(qubit: object, gateError: object) {
  const qrn = "rigetti:lab:qpu:three";
  const topology = {
    type: "coupling-map",
    qubits: 3,
    edges: [
      [0, 1],
      [1, 2],
    ],
  };
  const device = { qrn, name: "Three", status: "ONLINE", deviceType: "QPU", numberQubits: 3, topology };
  const calibration = { deviceQrn: qrn, qubits: { 0: qubit, 1: qubit, 2: qubit }, edges: { gateError } };
  const service = await listening(({ url = "" }, response) => {
    const data = url.endsWith("/calibrations") ? calibration : url.includes("three") ? device : [device];
    send(response, { body: { success: true, data } });
  });
  const kb = new Ketbook({ url: `${service.origin}/api/v1`, apiKey: "k" });
  return { device: await kb.device(qrn), ...service };
}

describe("a figure that is not calibrated is unknown, and named", () => {
  test("where a calibration has nothing but errors of randomized benchmarking", async () => {
    await using service = await partlyCalibrated({ gateError: { rb: 0.001 } }, {});
    await expect(service.device.best({ qubits: 2 })).rejects.toThrow(
      "lists no errors of two-qubit gates or readouts, so its qubits cannot be compared",
    );
    const card = String(bundleOf(await transpile(ghz, service.device))["text/plain"]);
    expect(card).toMatch(
      /Expected fidelity +unknown, as .*T1 of.*two-qubit gate errors of 0–1.* are not calibrated/s,
    );
    expect((await transpile(ghz, service.device)).expectedFidelity).toBeNull();
  });

  test("among the best qubits", async () => {
    const cx = [{ source: 1, target: 2, value: 0.01 }];
    await using service = await partlyCalibrated({ gateError: {} }, { cx });
    const best = await service.device.best({ qubits: 3 });
    expect(best.expectedFidelity).toBeNull();
    expect(best.couplings.map(({ error }) => error).sort()).toEqual([0.01, null]);
    expect(best.reason).toMatch(/two-qubit gates of 1.0 % to 1.0 %, 1 unknown .*readouts of unknown error/);
    const shown = String(bundleOf(best)["text/plain"]);
    expect(shown).toMatch(/1–0 unknown.*Expected fidelity\s+unknown/s);
    expect((await service.device.best({ qubits: 2 })).qubits).toEqual([1, 2]);
  });

  test("in a layout, which avoids what is unknown, and in the length of a gate", async () => {
    const qubit = {
      T1: 100,
      T2: 100,
      readoutError: 0.01,
      readoutLength: 1000,
      gateError: { sx: 0.001 },
      gateLength: { sx: 30 },
    };
    const figures = (values: (number | null)[]) => ({
      cx: values.flatMap((value, source) => (value === null ? [] : [{ source, target: source + 1, value }])),
    });
    const edges = ([0, 1, 2, 3] as const).map(at => [at, at + 1] as [number, number]);
    const target = (lengths: (number | null)[]) => ({
      name: "Line",
      topology: { type: "coupling-map" as const, qubits: 5, edges },
      calibration: {
        qubits: Object.fromEntries(Array.from({ length: 5 }, (_, at) => [at, qubit])),
        edges: { gateError: figures([null, 0.01, 0.05, 0.02]), gateLength: figures(lengths) },
      } as never,
    });
    const known = await transpile(ghz, target([300, 300, 300, 300]), { optimizationLevel: 2 });
    expect([...known.initialLayout].sort()).toEqual([1, 2, 3]);
    expect([known.expectedFidelity, known.duration]).not.toContain(null);
    const unknown = await transpile(ghz, target([300, null, 300, 300]), { optimizationLevel: 2 });
    expect([unknown.expectedFidelity, unknown.duration]).toEqual([null, null]);
    expect(String(bundleOf(unknown)["text/plain"])).toMatch(/two-qubit gate lengths of 1–2/);
  });

  const whole = {
    T1: 100,
    T2: 100,
    readoutError: 0.01,
    readoutLength: 1000,
    gateError: { sx: 0.001, x: 0.001 },
    gateLength: { sx: 30, x: 30 },
  };
  const pairs = (values: readonly number[]) => ({
    cx: values.map((value, source) => ({ source, target: source + 1, value })),
  });
  const lacking = (qubit: object, { errors = [0.01, 0.01], lengths = [300, 300] } = {}) =>
    ({
      name: "Line",
      topology: { type: "coupling-map", qubits: 3, edges: [[0, 1] as [number, number], [1, 2]] },
      calibration: Calibration.from({
        qubits: { 0: whole, 1: { ...whole, ...qubit }, 2: whole },
        edges: { gateError: pairs(errors), gateLength: pairs(lengths) },
      }).toJSON(),
    }) as TranspileTarget;
  const textOf = (value: Displayable) => String(bundleOf(value)["text/plain"]);

  test.each<[string, TranspileTarget, string]>([
    ["a relaxation time that is 0", lacking({ T1: 0 }), "T1 of 1"],
    ["one of two readout errors", lacking({ readoutError: null, prob0Given1: 0.02 }), "readout errors of 1"],
    ["all readout errors", lacking({ readoutError: null }), "readout errors of 1"],
    ["the length of a readout", lacking({ readoutLength: null }), "readout lengths of 1"],
    ["the length of one gate", lacking({ gateLength: { x: 30 } }), "one-qubit gate lengths of 1"],
    ["the error of a pair", lacking({}, { errors: [0.01] }), "two-qubit gate errors of 1–2"],
    ["every two-qubit error", lacking({}, { errors: [] }), "two-qubit gate errors of 0–1, 1–2"],
  ])("by a calibration that lacks %s", async (_, target, gap) => {
    const superposed = `OPENQASM 3.0; include "stdgates.inc"; qubit[3] q; bit[3] c; sx q[0]; sx q[1]; cx q[0], q[1]; cx q[1], q[2]; c = measure q;`;
    const transpiled = await transpile(superposed, target, { initialLayout: [0, 1, 2] });
    expect([transpiled.expectedFidelity, transpiled.duration]).toEqual([null, null]);
    const shown = textOf(transpiled);
    expect(shown.replace(/\s+/g, " ")).toContain(gap);
    expect(shown).toMatch(/Expected fidelity +unknown/);
  });

  test("and lengths that a calibration has none of are named as assumed, without a duration", async () => {
    const target = lacking({}, { lengths: [] });
    const transpiled = await transpile(ghz, target);
    expect(transpiled.duration).toBeNull();
    expect(transpiled.expectedFidelity).toBeGreaterThan(0.8);
    const shown = textOf(transpiled).replace(/\s+/g, " ");
    expect(shown).toMatch(/Expected fidelity [\d.]+ %, assuming two-qubit gate lengths of 80 ns/);
    expect(shown).toContain("Duration of a shot unknown, as the lengths of gates are not calibrated");
  });

  test("and a noise model says what it lacks, and where it has the medians of others", () => {
    const warned = vi.spyOn(process, "emitWarning").mockImplementation(() => undefined);
    const { calibration } = lacking({ readoutError: null, T1: null });
    noise({ calibration: calibration! });
    const words = () => warned.mock.calls.map(([text]) => text).join("\n");
    expect(words()).toMatch(/not calibrated are T1 of 1; readout errors of 1/);
    warned.mockClear();
    noise({ calibration: { qubits: { 0: {}, 1: {} } } });
    expect(words()).toMatch(
      /no two-qubit gate errors, no T1, no T2, no one-qubit gate errors, no readout errors/,
    );
    warned.mockRestore();
  });
});
