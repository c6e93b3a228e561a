import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { CancelledError } from "../../../src/simulation/index.ts";
import { Workspace } from "../../../src/simulation/statevector/workspace.ts";
import { HEAD, run } from "../run.ts";

const QUBITS = 13;
const layer = Array.from(
  { length: QUBITS - 1 },
  (_, i) => `ry(0.3 + ${i}) q[${i}]; cx q[${i}], q[${i + 1}];`,
);
/** A program whose shots part several times, each in a state that is large enough for the kernels' memory. */
const tree = `${HEAD}qubit[${QUBITS}] q; bit[5] c;
${Array.from({ length: 5 }, (_, i) => `${layer.join(" ")} c[${i}] = measure q[${i}]; if (c[${i}]) rx(0.7) q[${i}];`).join("\n")}`;

const live = new Map<number, number>();

beforeEach(() => {
  live.clear();
  const { allocate, free } = Workspace.prototype;
  vi.spyOn(Workspace.prototype, "allocate").mockImplementation(function (this: Workspace, bytes) {
    const at = allocate.call(this, bytes);
    live.set(at, bytes);
    return at;
  });
  vi.spyOn(Workspace.prototype, "free").mockImplementation(function (this: Workspace, at) {
    live.delete(at);
    free.call(this, at);
  });
});
afterEach(() => vi.restoreAllMocks());

test.each(["statevector", "extended stabilizer"] as const)(
  "%s: no memory is kept after a run, wherever it is stopped",
  method => {
    const observables = [[{ coefficient: 1, string: [{ qubit: 1, pauli: "Y" }] }]] as const;
    const options = { shots: 40, seed: 3, threads: 1, method, observables };
    let checks = 0;
    run(tree, {
      ...options,
      signal: {
        get aborted() {
          return ++checks < 0;
        },
      },
    });
    expect(Workspace.prototype.allocate).toHaveBeenCalled();
    expect([...live]).toEqual([]);
    for (let allowed = 1; allowed < checks; allowed += Math.ceil(checks / 20)) {
      let left = allowed;
      const signal = {
        get aborted() {
          return left-- <= 0;
        },
      };
      expect(() => run(tree, { ...options, signal })).toThrow(CancelledError);
      expect([...live]).toEqual([]);
    }
  },
);
