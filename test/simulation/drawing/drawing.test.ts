import { describe, expect, test } from "vitest";
import { compile, drawSvg, drawText } from "../../../src/simulation/index.ts";
import { HEAD } from "../run.ts";
import { BELL, circuit, FLOW } from "./circuits.ts";

describe("text", () => {
  test("draws a Bell pair", () => {
    expect(`\n${drawText(circuit(BELL))}\n`).toMatchInlineSnapshot(`
      "
      q[0]: ──┤H├──●────┤M├───
                   │     ║
      q[1]: ───────⊕────┤M├───
                         ║
      c[2]: ═════════════╩0:1═
      "
    `);
  });

  test("draws declarations with a value, and none without", () => {
    const text = drawText(
      circuit(
        "qubit q; bit c; c = measure q; int a = 3; bool b = c; array[int, 2] l = {1, 2}; bit k = c; int z; x q;",
      ),
    );
    for (const label of ["int a = 3", "bool b = c", "array[int, 2] l = {1, 2}", "bit k = c"])
      expect(text).toContain(label);
    expect(text).not.toContain("int z");
    expect(circuit("qubit q; int a = 3; x q;").gateCounts()).toEqual({ x: 1 });
  });

  test("draws conditions, loops, barriers, resets and negative controls", () => {
    expect(`\n${drawText(circuit(FLOW))}\n`).toMatchInlineSnapshot(`
      "
                                                  ╭for i in 0…1 ×2╮
                                                  │   ┌────────┐  │
      q[0]: ──────○───────×──┊──┤M├───────────────┼───┤        ├──┼─
                  │       │  ┊   ║   ┌if c == 1┐  │   │        │  │
      q[1]: ──┤Rz −3π/8├──┼──┊───╫───┼──┤|0⟩├──┼──┼───┤ h q[i] ├──┼─
                          │  ┊   ║   │         │  │   │        │  │
      q[2]: ──────────────×──┊───╫───┼───┤X├───┼──┼───┤        ├──┼─
                                 ║   └╥────────┘  │   └────────┘  │
                                 ║    ║           ╰               ╯
      c[2]: ═════════════════════╩0═══■═════════════════════════════
      "
    `);
  });

  test("keeps to ASCII and to the width", () => {
    const text = drawText(circuit(FLOW), { ascii: true, width: 40 });
    expect(text).toMatch(/^[\x20-\x7e\n]*$/);
    expect(Math.max(...text.split("\n").map(line => line.length))).toBeLessThanOrEqual(40);
    expect(`\n${text}\n`).toMatchInlineSnapshot(`
      "
      q[0]: -------o-------x--:--[M]-
                   |       |  :   |
      q[1]: --[Rz -3pi/8]--+--:---+--
                           |  :   |
      q[2]: ---------------x--:---+--
                                  |
                                  |
      c[2]: ======================+0=

      q[0]: --------------
              +if c == 1+
      q[1]: --+--[|0>]--+-
              |         |
      q[2]: --+---[X]---+-
              ++--------+
               |
      c[2]: ===?==========

              +for i in 0...1 x2+
              |     +--------+  |
      q[0]: --+-----[        ]--+-
              |     |        |  |
      q[1]: --+-----[ h q[i] ]--+-
              |     |        |  |
      q[2]: --+-----[        ]--+-
              |     +--------+  |
              +                 +
      c[2]: ======================
      "
    `);
  });

  test("counts what is beyond 200 columns and 60 qubits", () => {
    const text = drawText(circuit(`qubit[100] q; for int i in [0:9] { h q[i]; } ${"x q[0];".repeat(1000)}`));
    expect(text).toContain("… 40 more qubits");
    expect(text).toContain("… 803 more operations");
  });

  test("folds a loop whose body is the same each time", () => {
    expect(
      `\n${drawText(circuit("qubit[2] q; for int i in [0:3] { h q[0]; cx q[0], q[1]; }"))}\n`,
    ).toMatchInlineSnapshot(`
      "
              ╭×4        ╮
      q[0]: ──┼──┤H├──●──┼─
              │       │  │
      q[1]: ──┼───────⊕──┼─
              ╰          ╯
      "
    `);
  });

  test("counts what happens to qubits that are not shown, and draws what joins them to the others", () => {
    const text = drawText(circuit(`qubit[1000] q; h q; cx q[3], q[900]; ${"cx q[800], q[900];".repeat(50)}`));
    expect(text).toContain("… 940 more qubits: ──────");
    expect(text.match(/⊕/g)).toHaveLength(1);
    expect(text).toContain("… 990 more operations");
  });

  test("draws the beginning of 100,000 gates, and counts the rest", () => {
    const long = circuit(
      `qubit[10] q; ${Array.from({ length: 100_000 }, (_, i) => `h q[${i % 10}];`).join("\n")}`,
    );
    expect(drawSvg(long).length).toBeLessThan(1_000_000);
    expect(drawText(long)).toContain("… 98,000 more operations");
  });

  test("draws a gate of the program as one box with its name, its parameters and the names of its operands", () => {
    const gate = "gate turn(a) x, y { ry(a) x; cx x, y; }";
    expect(
      `\n${drawText(circuit(`${gate} qubit[3] q; turn(0.3) q[1], q[0]; ctrl @ turn(pi) q[0], q[1], q[2];`))}\n`,
    ).toMatchInlineSnapshot(`
      "
              ┌─────────────┐
      q[0]: ──┤ y           ├────────●───────
              │    turn 0.3 │  ┌─────┴─────┐
      q[1]: ──┤ x           ├──┤ x         ├─
              └─────────────┘  │    turn π │
      q[2]: ───────────────────┤ y         ├─
                               └───────────┘
      "
    `);
  });

  test("names a gate whose angle is not known yet by the angle, not by its wire", () => {
    const data = `${HEAD}input float theta; qubit[2] q; ry(2 * theta) q; crz(theta/pi) q[0], q[1];`;
    expect(
      `\n${drawText(compile({ format: "qasm3", data }, { openInputs: true }))}\n`,
    ).toMatchInlineSnapshot(`
      "
      q[0]: ──┤Ry 2θ├─────●─────
                          │
      q[1]: ──┤Ry 2θ├──┤Rz θ/π├─
      "
    `);
  });

  test("draws delays, boxes, assignments and global phases", () => {
    const body = `qubit[2] q; bit[2] c; bit d; int n; h q[0]; box [200ns] { x q[0]; delay[20ns] q[1]; } c[0] = measure q[0];
      d = c[0]; n = n + 1; gphase(pi/4); if (d) { gphase(-pi/2); x q[1]; }`;
    expect(`\n${drawText(circuit(body))}\n`).toMatchInlineSnapshot(`
      "
                                ┌box 200ns───────┐
           q[0]: ──────┤H├──────┼──────┤X├───────┼──┤M├───────────────────────────────────────
                                │                │   ║               ┌if d──────────────────┐
           q[1]: ───────────────┼──┤delay 20ns├──┼───╫───────────────┼──┤gphase −π/2├──┤X├──┼─
                                └────────────────┘   ║               └╥─────────────────────┘
           c[2]: ════════════════════════════════════╩0═══════════════╬═══════════════════════
                                                                      ║
              d: ════════════════════════════════════════┤d = c[0]├═══■═══════════════════════
      variables: ══┤n = n + 1├════════════════════════════════════════════════════════════════

      Global phase: π/4
      "
    `);
    expect(circuit(body).gateCounts()).toEqual({ h: 1, x: 2, measure: 1, gphase: 2 });
  });

  test("shows at a fold which loops and conditions continue", () => {
    const text = drawText(circuit(`qubit q; bit c; c = measure q; if (c) { ${"h q; ".repeat(4)} }`), {
      fold: 4,
    });
    expect(`\n${text}\n`).toMatchInlineSnapshot(`
      "
                ┌if c───────
      q: ──┤M├──┼──┤H├──┤H├─
            ║   └╥──────────
      c: ═══╩════■══════════

         … if c──────┐
      q: ──┤H├──┤H├──┼─
          ───────────┘
      c: ══════════════
      "
    `);
  });

  test("keeps to the width where loops within each other continue", () => {
    const body = "for int i in [0:3] { for int j in [0:4] { h q; t q; s q; h q; t q; s q; h q; t q; s q; } }";
    const lines = drawText(circuit(`qubit q; ${body}`), { width: 50 }).split("\n");
    expect(Math.max(...lines.map(line => line.length))).toBeLessThanOrEqual(50);
    expect(lines.length).toBeGreaterThan(2);
  });

  test("draws the measurement of a register in one column", () => {
    const text = drawText(circuit("qubit[60] q; bit[60] c; h q; c = measure q;"));
    expect(text.split("\n")[0]).toBe(" q[0]: ──┤H├─────┤M├────");
    expect(text).toContain("0:59");
    const turned = drawText(circuit("qubit[2] q; bit[2] c; c[1] = measure q[0]; c[0] = measure q[1];"));
    expect(turned).toMatch(/c\[2\]: ═+╩1═+╩0═+$/);
  });

  test("names the wires that nothing touches, and draws them when asked to", () => {
    const idle = circuit(
      "qubit[9] q; qubit r; bit[2] c; bit d; h q[1]; cx q[1], q[4]; d = measure q[1]; barrier q;",
    );
    const text = drawText(idle);
    expect(text.match(/^ *q\[\d\]/gm)!.map(label => label.trim())).toEqual(["q[1]", "q[4]"]);
    expect(text).toContain("Idle, not drawn: q[0], q[2:3], q[5:8], r, c");
    expect(drawText(idle, { idleWires: true })).toContain("q[8]: ");
    expect(drawText(idle, { idleWires: true })).not.toContain("Idle");
    expect(drawText(circuit("qubit[3] q;"))).toContain("q[2]: ");
  });

  test("writes loops out and opens the program's gates on demand", () => {
    const body = "gate pair a, b { h a; cx a, b; } qubit[3] q; for int i in [0:1] { pair q[i], q[i+1]; }";
    expect(drawText(circuit(body))).toContain("pair q[i], q[i+1]");
    expect(`\n${drawText(circuit(body), { expand: true })}\n`).toMatchInlineSnapshot(`
      "
      q[0]: ──┤H├──●─────────
                   │
      q[1]: ───────⊕──┤H├──●─
                           │
      q[2]: ───────────────⊕─
      "
    `);
    const nested = "gate one a { h a; } gate two a { one a; one a; } qubit q; two q;";
    expect(drawText(circuit(nested), { expand: 1 })).toBe("q: ──┤one├──┤one├─");
    expect(drawText(circuit(nested), { expand: true })).toBe("q: ──┤H├──┤H├─");
  });

  test("puts the last qubit on top when asked to", () => {
    const text = drawText(circuit(BELL), { reverseBits: true });
    expect(text.match(/^.\[\d\]/gm)).toEqual(["q[1]", "q[0]", "c[2]"]);
  });

  test("draws an else beside its if, under one condition, and a controlled Z as two dots", () => {
    const body = "qubit[2] q; bit s; s = measure q[0]; if (s) { x q[1]; } else { cz q[0], q[1]; }";
    expect(`\n${drawText(circuit(body))}\n`).toMatchInlineSnapshot(`
      "
                   ┌if s───┬else─┐
      q[0]: ──┤M├──┼───────┼──●──┼─
               ║   │       │  │  │
      q[1]: ───╫───┼──┤X├──┼──●──┼─
               ║   └╥──────┴─────┘
         s: ═══╩════■══════════════
      "
    `);
  });

  test("draws nothing where there is nothing", () => {
    expect(drawText(circuit(""))).toBe("(no qubits)");
  });

  test("an assignment comes after the call or loop that computes it", () => {
    const text = drawText(
      circuit(`qubit[2] q; bit[2] d;
        def flip(qubit a) -> bit { x a; return measure a; }
        h q[0]; cx q[0], q[1]; d[0] = flip(q[1]);`),
    );
    const [call, assigned] = ["q[1]:", "d[2]:"].map(
      name => text.split("\n").find(line => line.includes(name))!,
    );
    expect(call!.indexOf("┤M├")).toBeGreaterThan(0);
    expect(assigned!.indexOf("d[0] = flip(q[1])")).toBeGreaterThan(call!.indexOf("┤M├"));
  });

  test("long register names are shortened in the middle and keep their index", () => {
    const text = drawText(circuit(`qubit[2] ${"a".repeat(30)}_data; h ${"a".repeat(30)}_data[1];`));
    expect(text).toContain(`${"a".repeat(12)}…${"a".repeat(6)}_data[1]:`);
  });
});
