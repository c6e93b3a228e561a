import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { Calibration, job, KetbookError, type NoiseModelOptions, noise, qasm, run } from "../../src/index.ts";
import { bundleOf } from "./bundle.ts";
import { useServiceHere } from "./own-service.ts";

await useServiceHere();

const flipped = qasm`OPENQASM 3.0; include "stdgates.inc"; qubit[2] q; bit[2] c; x q[0]; cx q[0], q[1]; c = measure q;`;
const exact = async (options: NoiseModelOptions) =>
  (
    await run(flipped)
      .on("density")
      .shots(0)
      .options({ noiseModel: noise(options) })
  ).probabilities;
const perth = Calibration.from(
  JSON.parse(
    readFileSync(new URL("../../src/service/catalogue/calibrations/perth.json", import.meta.url), "utf8"),
  ),
);

describe("a noise model of one's own", () => {
  test("is sent with a job, whose exact probabilities are those of its channels", async () => {
    const found = await exact({
      gates: [
        { gates: "x", qubits: [0], channels: { amplitudeDamping: 0.2 } },
        { gates: ["cx"], qubits: [[1, 0]], channels: { pauli: { IX: 0.1 } } },
      ],
      readouts: { 1: { zeroGivenOne: 0.5, oneGivenZero: 0 } },
    });
    expect(found["11"]).toBeCloseTo(0.8 * 0.9 * 0.5, 10);
    expect(found["01"]).toBeCloseTo(0.8 * (0.1 + 0.9 * 0.5), 10);
    expect(found["00"]).toBeCloseTo(0.2 * (0.9 + 0.1 * 0.5), 10);
  });

  test("names gates that exist, and tells with a result which noise acted nowhere", async () => {
    expect(() => noise({ gates: [{ gates: "hh", channels: 0.1 }] })).toThrow(
      /gates\[0\]\.gates .*"hh".*Did you mean/,
    );
    expect(() => noise({ gates: [{ gates: "barrier", channels: 0.1 }] })).toThrow(/takes no time/);
    expect(() => noise({ oneQubit: { T1: 100, T2: 80 } })).toThrow(/oneQubit\.length is needed/);
    expect(() => noise({ gates: [{ gates: "measure", channels: { T1: 100, T2: 80 } }] })).toThrow(
      /gates\[0\]\.channels\.length is needed/,
    );
    const named = await exact({ gates: [{ gates: "cnot", channels: { pauli: { IX: 0.1 } } }] });
    expect(named["01"]).toBeCloseTo(0.1, 10);
    const unused = noise({ gates: [{ gates: "swap", channels: 0.1 }], oneQubit: 0.1 });
    const result = await run(flipped).on("density").shots(0).options({ noiseModel: unused });
    expect(result.job.record.metadata.unusedNoise).toBe("Noise that acted nowhere: that after swap.");
    expect(JSON.stringify(bundleOf(result))).toContain("acted nowhere");
  });

  test("relaxes during delays and before measurements", async () => {
    const noiseModel = noise({
      gates: [
        { gates: "delay", channels: { T1: 10, T2: 10 } },
        { gates: "measure", channels: { bitFlip: 0.2 } },
      ],
    });
    const waiting = qasm`include "stdgates.inc"; qubit q; bit c; x q; delay[5us] q; c = measure q;`;
    const { probabilities } = await run(waiting).on("density").shots(0).options({ noiseModel });
    const one = Math.exp(-0.5);
    expect(probabilities["1"]).toBeCloseTo(one * 0.8 + (1 - one) * 0.2, 10);
  });

  test("is told from the noise of an emulated QPU", () => {
    const prepared = () =>
      run(flipped)
        .on("noisy")
        .options({ noise: noise({ oneQubit: 0.1 }) as never });
    expect(prepared).toThrow(/noiseModel/);
    expect(() =>
      run(flipped)
        .on("noisy")
        .options({ noiseModel: { relaxation: false } as never }),
    ).toThrow(/is the option noise\)/);
  });

  test("runs 40 qubits with gates that are not Clifford", async () => {
    const wide = qasm`include "stdgates.inc"; qubit[40] q; bit[40] c; h q[0]; t q[0]; h q[0]; for int i in [1:39] { cx q[i - 1], q[i]; } c = measure q;`;
    const result = await run(wide)
      .on("noisy")
      .shots(200)
      .options({ seed: 2, noiseModel: noise({ twoQubit: 0.001 }) });
    expect(result.job.record.metadata.method).toBe("matrix product state");
    expect(result.counts["0".repeat(40)]! / 200).toBeGreaterThan(0.7);
  });

  test("samples shots on the simulator of noise, and a job that used it runs again", async () => {
    const noiseModel = noise({ name: "flips", oneQubit: { bitFlip: 0.25 } });
    const result = await run(flipped).on("noisy").shots(10_000).options({ seed: 4, noiseModel });
    expect(result.counts["11"]! / 10_000).toBeCloseTo(0.75, 1);
    expect((await result.job.record.runtimeOptions).noiseModel).toEqual(noiseModel.toJSON());
    const again = await (await job(result.job.qrn)).rerun();
    expect((await again.result()).counts).toEqual(result.counts);
  });

  test("is built from the figures of a calibration, and what is given besides comes after it", async () => {
    const { rules, readout } = noise({ calibration: perth, readout: 0 }).toJSON();
    expect(readout.filter(({ qubits }) => qubits)).toHaveLength(7);
    expect(readout.at(-1)).toEqual({ zeroGivenOne: 0, oneGivenZero: 0 });
    const [channels] = rules.flatMap(rule => (rule.qubits?.[0]?.join() === "0" ? [rule.channels] : []));
    expect(channels).toContainEqual(
      expect.objectContaining({ channel: "thermal_relaxation", T1: 1000 * perth.qubits[0]!.T1!, on: 0 }),
    );
    const found = await exact({ calibration: perth, readout: 0 });
    const { sx } = perth.qubits[0]!.gateError;
    const cx = perth.edges.gateError.cx![0]!.value;
    expect(1 - found["11"]!).toBeGreaterThan(0.4 * (sx! + cx));
    expect(1 - found["11"]!).toBeLessThan(2 * (sx! + cx));
  });

  test("shows itself as a card", () => {
    const shown = noise({
      name: "<b>Mine</b>",
      oneQubit: 0.001,
      twoQubit: [{ depolarizing: 0.01 }, { T1: 100, T2: 80, length: 300 }],
      gates: [
        {
          gates: "cz",
          qubits: [[0, 1]],
          channels: {
            kraus: [
              [
                [1, 0],
                [0, [0, 1]],
              ],
            ],
          },
        },
      ],
      readout: [
        [0.99, 0.01],
        [0.03, 0.97],
      ],
    });
    expect(shown.toString()).toBe("noise model: <b>Mine</b>");
    const html = shown.toHTML();
    expect(html).toContain("&lt;b&gt;Mine");
    for (const fact of [
      "depolarizing 0.01, then relaxation T1 = 100 µs, T2 = 80 µs for 300 ns",
      "cz on 0–1",
      "1 Kraus operators on one qubit",
      "P(0|1) = 0.03, P(1|0) = 0.01",
    ])
      expect(html).toContain(fact);
  });

  test.each<[NoiseModelOptions, RegExp]>([
    [{ oneQubit: 1.5 }, /oneQubit must be a probability, 0 to 1/],
    [{ oneQubit: { T1: 50, T2: 120, length: 30 } }, /oneQubit.T2 must be at most twice T1/],
    [
      {
        twoQubit: [
          { bitFlip: 0.1 },
          {
            kraus: [
              [
                [1, 0],
                [0, 0.5],
              ],
            ],
          },
        ],
      },
      /twoQubit\[1\].kraus must be complete/,
    ],
    [
      { oneQubit: { pauli: { X: 0.7, Z: 0.6 } } },
      /oneQubit.pauli must have probabilities whose sum is at most 1/,
    ],
    [{ oneQubit: { flip: 0.1 } as never }, /must be a probability, or a channel such as/],
    [{ oneQubit: "much" as never }, /not "much"/],
    [
      {
        readout: [
          [0.9, 0.2],
          [0, 1],
        ],
      },
      /Each row must sum to 1/,
    ],
    [{ readouts: { 0: 2 } }, /readouts\[0\] must be a probability/],
    [{ gates: [{ gates: "cx" } as never] }, /gates\[0\] needs channels/],
    [{ onequbit: 0.1 } as never, /Did you mean "oneQubit"/],
    [{ gates: [{ qubits: [[0, 0]], channels: 0.1 }] }, /two different ones/],
  ])("that cannot be is refused: %j", (options, message) => {
    expect(() => noise(options)).toThrow(KetbookError);
    expect(() => noise(options)).toThrow(message);
  });
});
