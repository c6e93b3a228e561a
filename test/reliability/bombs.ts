import { setTimeout as sleep } from "node:timers/promises";
import { isTerminalJob } from "../../src/contract/status.ts";
import { bell, statevector } from "../service/serving.ts";
import { checkInvariants } from "./invariants.ts";
import { quantile, type Report } from "./report.ts";
import { makeUser, probeLiveness, startSubject, temporaryFolder } from "./subject.ts";

const HEAD = 'OPENQASM 3.0;\ninclude "stdgates.inc";\n';
const CANCEL_MS = 20_000;

/** Doubles the gates at each level: 2^levels of them in a few lines. */
const doubling = (levels: number) =>
  `gate g0 a { x a; }\n${Array.from({ length: levels }, (_, at) => `gate g${at + 1} a { g${at} a; g${at} a; }`).join("\n")}\nqubit q; bit c; g${levels} q; c = measure q;`;

/** Programs that ask for more time or memory than there is, or for a stack without end. */
export const BOMBS: Readonly<Record<string, string>> = {
  "a register of 10^12 qubits": "qubit[1000000000000] q;",
  "a register of 40 entangled qubits": "qubit[40] q; bit c; h q; cx q[0:38], q[1:39]; c = measure q[0];",
  "a bit register of 10^9": "bit[1000000000] c; qubit q; c[0] = measure q;",
  "an array of 10^9": "array[int[64], 1000, 1000, 1000] a; qubit q; bit c; c = measure q;",
  "2^60 gates in 60 lines": doubling(60),
  "a loop of 10^15 rounds": "qubit q; bit c; for int i in [0:1000000000000000] { x q; } c = measure q;",
  "a loop without end": "qubit q; bit c; while (true) { x q; } c = measure q;",
  "22 qubits without end": "qubit[22] q; bit c; while (true) { h q; t q; } c = measure q[0];",
  "a loop of ints without end": "int i = 0; while (true) { i += 1; } qubit q; bit c; c = measure q;",
  "recursion without end":
    "def f(int n) -> int { return f(n + 1); } int k = f(0); qubit q; bit c; c = measure q;",
  "20,000 brackets": `qubit q; rx(${"(".repeat(20_000)}1${")".repeat(20_000)}) q;`,
  "20,000 nested blocks": `qubit q; ${"if (true) { ".repeat(20_000)}x q;${" }".repeat(20_000)}`,
  "20,000 signs": `qubit q; rx(${"-".repeat(20_000)}1) q;`,
  "200,000 registers": Array.from({ length: 200_000 }, (_, at) => `bit b${at};`).join(" "),
  "a power of powers": "qubit q; rx(9**9**9**9**9) q; int[4000000000] x = 1 << 3999999999;",
  "a gate to the power of 10^18": "qubit q; bit c; pow(1000000000000000000) @ x q; c = measure q;",
  "10,000 controls": "qubit[10001] q; ctrl(10000) @ x q;",
  "3 MB of one name": `qubit ${"q".repeat(3_000_000)};`,
  "an open comment of 3 MB": `/*${" *".repeat(1_500_000)}`,
};

/** Submits programs that ask for too much, while another user's small ones run. */
export async function bombPrograms({
  rounds,
  patienceMs = 3000,
}: {
  rounds: number;
  /** After how long a program that still runs is cancelled. Default: 3000. */
  patienceMs?: number;
}): Promise<Report> {
  using place = temporaryFolder();
  const { folder } = place;
  await using service = await startSubject(folder);
  const bomber = await makeUser(service, folder, "bomber");
  const other = await makeUser(service, folder, "other");
  const liveness = probeLiveness(service.url);
  const violations: string[] = [];
  const ends: Record<string, number> = {};
  const count = (end: string) => {
    ends[end] = (ends[end] ?? 0) + 1;
  };

  async function statusAfter(qrn: string, limit: number): Promise<string> {
    for (const deadline = performance.now() + limit; ; await sleep(20)) {
      const { status } = (await bomber.call("GET", `/jobs/${qrn}`)).body.data;
      if (isTerminalJob(status) || performance.now() > deadline) return status;
    }
  }

  for (const [name, text] of Array.from({ length: rounds }, () => Object.entries(BOMBS)).flat()) {
    const program = { format: "qasm3", data: HEAD + text };
    const { status, body } = await bomber.call("POST", "/jobs", {
      deviceQrn: statevector,
      shots: 10,
      program,
    });
    if (status >= 500) violations.push(`${name} was answered with ${status}`);
    if (status !== 201) {
      count("refused");
      continue;
    }
    const { jobQrn } = body.data;
    let end = await statusAfter(jobQrn, patienceMs);
    if (!isTerminalJob(end)) {
      await bomber.call("POST", `/jobs/${jobQrn}/cancel`);
      end = await statusAfter(jobQrn, CANCEL_MS);
    }
    if (isTerminalJob(end)) count(end.toLowerCase());
    else violations.push(`${name} is ${end}, and can't be cancelled`);
    const draw = await bomber.call("GET", `/jobs/${jobQrn}/program/ascii`);
    if (draw.status >= 500) violations.push(`the drawing of ${name} was answered with ${draw.status}`);
    await other.ended((await other.submit({ program: bell })).jobQrn);
  }
  const times = await liveness.stop();
  if (times.includes(Number.POSITIVE_INFINITY)) violations.push("the service did not answer");
  const metrics = await (await fetch(new URL("/metrics", service.url))).text();
  const memory = Number(/^process_resident_memory_bytes (.*)$/m.exec(metrics)?.[1]);
  violations.push(...(await checkInvariants(service, folder)));
  const bombs = rounds * Object.keys(BOMBS).length;
  const figures = {
    bombs,
    ...ends,
    "memory after, MB": memory / 1e6,
    "healthz p99, ms": quantile(times, 0.99),
    "healthz max, ms": Math.max(...times),
  };
  return { trial: "program bombs", figures, violations };
}
