import { describe, expect, test } from "vitest";
import { checkDeviceLimits, EstimateExceededError, simulateDevice } from "../../src/simulation/index.ts";
import { circuit, figuresOf } from "./schedule/devices.ts";

const brisbane = figuresOf("brisbane");
const indices = (count: number) => Array.from({ length: count }, (_, i) => i);

/** A program of so many qubits on a line, with layers of gates on neighbours. */
const layers = (
  qubits: number,
  depth: number,
  gate = (q: number) => `U(${q + 1}, 0.7, 1.3) q[${q}];`,
  first = "",
) =>
  circuit(
    `qubit[${qubits}] q; bit[${qubits}] c; ${first}
    ${indices(depth)
      .map(layer => {
        const pairs = indices(qubits - 1).filter(q => q % 2 === layer % 2);
        return `${indices(qubits).map(gate).join("")}${pairs.map(q => `cx q[${q}], q[${q + 1}];`).join("")}`;
      })
      .join("\n")}
    c = measure q;`,
  );
const ghz = (qubits: number) =>
  circuit(
    `qubit[${qubits}] q; bit[${qubits}] c; h q[0]; rz(0.1) q[0];
    ${indices(qubits - 1)
      .map(q => `cx q[${q}], q[${q + 1}];`)
      .join("")}
    c = measure q;`,
  );
const trotterStep = `${indices(49)
  .map(q => `cx q[${q}], q[${q + 1}]; rz(0.2) q[${q + 1}]; cx q[${q}], q[${q + 1}];`)
  .join("")} rx(0.3) q;`;
const ising = circuit(`qubit[50] q; bit[50] c; ${trotterStep.repeat(4)} c = measure q;`);

describe("the limit of time of a program on a device", () => {
  test("refuses one that is too entangled, with its bonds, its shots and the time", () => {
    const refused = () => checkDeviceLimits(layers(40, 20), brisbane, { shots: 10_000 });
    expect(refused).toThrow(EstimateExceededError);
    expect(refused).toThrow(/40 qubits .* at least \d+ Schmidt values, .* 10,000 shots .* more than 60 s/);
  });

  test("refuses one that measures and resets a qubit before its gates", () => {
    const program = layers(40, 20, undefined, "h q[0]; c[0] = measure q[0]; reset q[0];");
    expect(() => checkDeviceLimits(program, brisbane, { shots: 10_000 })).toThrow(EstimateExceededError);
  });

  test.each([
    ["a GHZ state of 20 qubits", ghz(20)],
    ["a GHZ state of 127 qubits", ghz(127)],
    ["4 Trotter steps of 50 spins", ising],
    ["2 layers on all qubits", layers(127, 2)],
    ["a Clifford circuit of all qubits", layers(127, 20, q => `h q[${q}]; s q[${q}];`)],
    ["a deep circuit of 10 qubits", layers(10, 100)],
  ])("leaves %s to run", (_, program) => {
    expect(() => checkDeviceLimits(program, brisbane, { shots: 1000 })).not.toThrow();
  });

  test("leaves few shots, or shots without noise, to run", () => {
    const program = layers(40, 20);
    expect(() => checkDeviceLimits(program, brisbane, { shots: 1 })).not.toThrow();
    const noise = { gates: false, readout: false, relaxation: false };
    expect(() => checkDeviceLimits(program, brisbane, { shots: 1000, noise })).not.toThrow();
  });

  test.each([
    ["40 qubits in 10 layers", layers(40, 10), 200, 2000],
    ["16 qubits in 40 layers, as a state vector", layers(16, 40), 300, 20_000],
    ["a long chain of 127 qubits", ghz(127), 1000, 1_000_000],
  ])("leaves %s to run for few shots, and refuses them for many", (_, program, few, many) => {
    expect(() => checkDeviceLimits(program, brisbane, { shots: few })).not.toThrow();
    expect(() => checkDeviceLimits(program, brisbane, { shots: many })).toThrow(EstimateExceededError);
  });

  test("counts the errors of idling: a program of long delays has fewer shots in common", () => {
    const delays = layers(30, 9, q => `U(${q + 1}, 0.7, 1.3) q[${q}]; delay[5us] q[${q}];`);
    const options = { shots: 3000, maxMilliseconds: 20_000 };
    expect(() => checkDeviceLimits(delays, brisbane, options)).toThrow(EstimateExceededError);
    const quiet = { ...options, noise: { relaxation: false, gates: false } };
    expect(() => checkDeviceLimits(delays, brisbane, quiet)).not.toThrow();
  });

  test("is told with the shots that were done, and the size of the state, where it ends a run", () => {
    expect(() =>
      simulateDevice(layers(40, 10), brisbane, { shots: 5000, seed: 1, maxMilliseconds: 400 }),
    ).toThrow(
      /stopped after 0\.4 s, with [\d,]+ of 5,000 shots done: it runs again for each pattern of errors, as a matrix product state, whose bonds have at most \d+ Schmidt values?\./,
    );
  });

  test("stops once it is cancelled", () => {
    const signal = { aborted: true };
    expect(() => checkDeviceLimits(layers(40, 20), brisbane, { shots: 10_000, signal })).toThrow(/cancelled/);
  });
});
