import fc from "fast-check";
import { expect, test } from "vitest";
import {
  CancelledError,
  type Circuit,
  compile,
  compileQir,
  LimitExceededError,
  simulate,
} from "../../../src/simulation/index.ts";
import { contradicts } from "../chi-square.ts";

const QUBITS = 5;
const WIDE = 10;
const head = (qubits: number) => `OPENQASM 3.0;
include "stdgates.inc";
gate twist(a) x, y { ry(a) x; cx x, y; rz(a / 2) y; }
qubit[${qubits}] q;
bit[${QUBITS}] c;
bit[${QUBITS}] m;
int past = 1;
array[int, 4] hits = {0, 0, 0, 0};
def turn(qubit x, int k) -> bit { if (k % 2 == 0) { ry(0.3 * (k % 7)) x; return measure x; } h x; return 0; }
def both(qubit x, qubit y) -> int { int k = 0; bit t = measure x; if (t) k += 1; h y; t = measure y; if (t) k += 2; return k; }
`;

/** A program whose branches never meet, as each keeps what it has measured. */
const circuitOf = (lines: readonly string[], qubits = QUBITS) => {
  const spread = "for int i in [1:7] { h q[0]; c[0] = measure q[0]; past = 2 * past + int(c[0]); }";
  const last = `m = measure q[0:${qubits / QUBITS}:${qubits - 1}];`;
  return compile({ format: "qasm3", data: [head(qubits), spread, ...lines, last].join("\n") });
};

const gate = fc.constantFrom("h", "x", "y", "s", "t", "ry(0.7)", "rx(1.9)", "p(0.4)", "sx");
const pair = fc.constantFrom(
  "cx",
  "cy",
  "cz",
  "swap",
  "ch",
  "cp(0.9)",
  "crx(2)",
  "negctrl @ x",
  "twist(0.8)",
);
const statementOn = (qubits: number): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.nat({ max: 23 }),
      gate,
      pair,
      fc.shuffledSubarray([...Array(qubits).keys()], { minLength: 3 }),
      fc.nat({ max: QUBITS - 1 }),
    )
    .map(([kind, one, two, [a = 0, b, d], bit]) => {
      const both = `q[${a}], q[${b}]`;
      switch (kind) {
        case 0:
          return `c[${bit}] = measure q[${a}]; past = (2 * past + int(c[${bit}])) % 1024;`;
        case 1:
          return `reset q[${a}];`;
        case 2:
          return `if (c[${bit}]) ${one} q[${a}]; else ${two} ${both};`;
        case 3:
          return `if (past % 3 == 1) { ${two} ${both}; c[${bit}] = measure q[${b}]; }`;
        case 4:
          return `rz(0.1 * past) q[${a}]; ry(0.1 * past) q[${a}];`;
        case 5:
          return `${one} q[past % ${qubits}];`;
        case 6:
          return `c[${bit}] = measure q[past % ${qubits}]; hits[past % 4] = hits[past % 4] + int(c[${bit}]);`;
        case 7:
          return `for int i in [1:past % 3] { ry(0.4 * i) q[${a}]; cx ${both}; past = past + 1; }`;
        case 8:
          return `c[${bit}] = turn(q[${a}], past);`;
        case 9:
          return `switch (hits[past % 4]) { case 0 { ${one} q[${a}]; } case 1 { ccx ${both}, q[${d}]; } default { ${two} ${both}; } }`;
        case 10:
          return `cswap ${both}, q[${d}];`;
        case 11:
          return `reset q[past % ${qubits}];`;
        case 12:
          return `pow(past % 3) @ ${one} q[${a}];`;
        case 13:
          return `m[${bit}] = c[${a % QUBITS}]; if (m[${bit}]) past += 1; past = (past + 3) % 64; if (past > 9 && m[0]) ${one} q[${a}];`;
        case 14:
          return `past = both(q[${a}], q[${b}]); if (past == 3) ${one} q[${d}];`;
        case 15:
          return `if (int(c) == 3) ${one} q[${a}]; else if (c[1] ^ c[2] ^ m[0]) { ${two} ${both}; past += 2; } else m[0] = c[${bit}];`;
        case 16:
          return `while (past % 4 < 2) { ry(1.1) q[${a}]; c[${bit}] = measure q[${a}]; past += 1 + int(c[${bit}]); }`;
        case 17:
          return `if (c[${bit}]) { ${one} q[${a}]; ${two} ${both}; ccx ${both}, q[${d}]; }`;
        case 18:
          return `if (past % 3 == 0) { ${one} q[${a}]; reset q[${b}]; }`;
        default:
          return kind % 2 === 0 ? `${one} q[${a}];` : `${two} ${both};`;
      }
    });

/** Returns the exact distribution; null where there are too many branches for one. */
function exactly(circuit: Circuit): Record<string, number> | null {
  try {
    const options = { shots: 0, method: "statevector", maxOperations: 30_000 } as const;
    return simulate(circuit, options).measurementProbabilities!;
  } catch (error) {
    if (error instanceof LimitExceededError) return null;
    throw error;
  }
}

test.for([
  { qubits: QUBITS, before: [], programs: 60 },
  { qubits: WIDE, before: [`for int i in [0:${WIDE - 1}] ry(0.4 + 0.2 * i) q[i];`], programs: 20 },
])("diverging branches of $qubits qubits have the outcomes of the exact distribution", options => {
  const { qubits, before, programs } = options;
  let checked = 0;
  fc.assert(
    fc.property(fc.array(statementOn(qubits), { minLength: 4, maxLength: 12 }), lines => {
      const circuit = circuitOf([...before, ...lines], qubits);
      const exact = exactly(circuit);
      if (!exact) return;
      checked++;
      const { measurementCounts } = simulate(circuit, { shots: 1000, seed: 3, method: "statevector" });
      expect(contradicts(measurementCounts, exact)).toBe(false);
    }),
    { numRuns: programs },
  );
  expect(checked).toBeGreaterThan(programs / 3);
});

test("shots that never meet are counted together, and each as often as it was asked for", () => {
  const round =
    "ry(0.4) q[0]; c[0] = measure q[0]; past = past + int(c[0]); if (c[0]) rz(0.1 * past) q[1]; h q[1];";
  const circuit = circuitOf(Array.from({ length: 100 }, () => round));
  const { measurements } = simulate(circuit, {
    shots: 1000,
    seed: 1,
    memory: true,
  });
  expect(measurements).toHaveLength(1000);
  expect(new Set(measurements!.map(key => key.slice(0, QUBITS)))).toEqual(
    new Set(["00000", "00001", "00010", "00011"]),
  );
});

test("a loop until success leaves each shot with a number of rounds of its own", () => {
  const loop = "c[0] = 1; while (c[0]) { ry(1.5) q[1]; c[0] = measure q[1]; hits[0] += 1; reset q[1]; }";
  const circuit = circuitOf([loop, "if (hits[0] == 1) x q[2]; if (hits[0] == 2) x q[3]; reset q[0];"]);
  const { measurementCounts } = simulate(circuit, { shots: 4000, seed: 5 });
  const again = Math.sin(0.75) ** 2;
  const exact = { "00100 00000": 1 - again, "01000 00000": (1 - again) * again, "00000 00000": again ** 2 };
  expect(contradicts(measurementCounts, exact)).toBe(false);
});

test("what fails in one shot of many says where", () => {
  const lines = ["ry(0.3) q[0]; c[0] = measure q[0];", "past = 4 / (1 - int(c[0]));"];
  expect(() => simulate(circuitOf(lines), { shots: 1000, seed: 1 })).toThrow(/^\d+:\d+: .*zero/);
});

test("a run of many branches ends where it is cancelled", () => {
  const circuit = circuitOf(["bit[2000] word;", "while (past > 0) { word = word << 1; past += 1; }"]);
  let checks = 0;
  const signal = {
    get aborted() {
      return ++checks > 3;
    },
  };
  expect(() => simulate(circuit, { shots: 1000, seed: 1, signal })).toThrow(CancelledError);
});

test("a loop of branches that never meet is over the limit, even one without a condition", () => {
  const rounds = Array.from({ length: 8 }, (_, i) => {
    const qubit = `%Qubit* inttoptr (i64 ${i} to %Qubit*)`;
    const result = `%Result* inttoptr (i64 ${i} to %Result*)`;
    return `  call void @__quantum__qis__h__body(${qubit})
  call void @__quantum__qis__mz__body(${qubit}, ${result})
  %r${i} = call i1 @__quantum__qis__read_result__body(${result})
  %n${i} = zext i1 %r${i} to i64
  %d${i} = mul i64 %s${i}, 2
  %s${i + 1} = add i64 %d${i}, %n${i}`;
  });
  const endless = compileQir(`%Qubit = type opaque
%Result = type opaque
define void @main() #0 {
entry:
  %s0 = add i64 1, 0
${rounds.join("\n")}
  %angle = sitofp i64 %s8 to double
  call void @__quantum__qis__rx__body(double %angle, %Qubit* null)
  br label %again
again:
  br label %again
}
attributes #0 = { "entry_point" "qir_profiles"="custom" "required_num_qubits"="8" "required_num_results"="8" }
`);
  const options = { shots: 1000, seed: 1, maxOperations: 20_000 };
  expect(() => simulate(endless, options)).toThrow(/^58:12: .*stopped after 20,000 operations/);
});
