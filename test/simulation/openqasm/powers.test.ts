import { describe, expect, test } from "vitest";
import { compile, simulate } from "../../../src/simulation/index.ts";
import { HEAD } from "./support.ts";

function amplitudes(body: string): number[] {
  return simulate(compile({ format: "qasm3", data: HEAD + body }), { shots: 0, statevector: true })
    .statevector!;
}

const DEFINITIONS = `
gate fourier a, b { h a; cp(pi / 2) b, a; h b; swap a, b; }
gate turn(t) a, b { rx(t) a; cx a, b; rz(2 * t) b; h a; }
gate three a, b, c { h a; cx a, b; ccx a, b, c; t c; cx c, a; }
gate four a, b, c, d { three a, b, c; cx c, d; h d; }
`;
const START = "qubit[5] q; ry(0.3) q[0]; ry(0.9) q[1]; rx(1.1) q[2]; ry(2) q[3]; rx(0.4) q[4];";

describe("a fractional power of a gate of several steps", () => {
  test.each([
    ["fourier q[0], q[1]", 4],
    ["turn(0.7) q[1], q[0]", 3],
    ["three q[2], q[0], q[1]", 5],
    ["four q[0], q[1], q[2], q[3]", 2],
  ])("%s is the gate again, applied as often", (call, times) => {
    const roots = `pow(1 / ${times}) @ ${call};\n`.repeat(times);
    const expected = amplitudes(`${DEFINITIONS}${START}${call};`);
    amplitudes(`${DEFINITIONS}${START}${roots}`).forEach((part, i) => {
      expect(part).toBeCloseTo(expected[i]!, 9);
    });
  });

  test("takes controls and inverses", () => {
    const call =
      "ctrl @ pow(0.3) @ turn(0.7) q[4], q[1], q[0]; ctrl @ inv @ pow(0.3) @ turn(0.7) q[4], q[1], q[0];";
    const expected = amplitudes(`${DEFINITIONS}${START}`);
    amplitudes(`${DEFINITIONS}${START}${call}`).forEach((part, i) => {
      expect(part).toBeCloseTo(expected[i]!, 9);
    });
  });

  test("of the identity is the identity", () => {
    const expected = amplitudes(START);
    amplitudes(`gate nothing a, b { x a; x a; h b; h b; } ${START} pow(0.37) @ nothing q[0], q[1];`).forEach(
      (part, i) => {
        expect(part).toBeCloseTo(expected[i]!, 9);
      },
    );
  });
});
