import { describe, expect, it } from "vitest";
import { compile, drawSvg, drawText } from "../../src/simulation/index.ts";
import { HEAD } from "./run.ts";

const circuit = (body: string) => compile({ format: "qasm3", data: HEAD + body });
const BELL = "qubit[2] q; bit[2] c; h q[0]; cx q[0], q[1]; c = measure q;";
const FLOW = `qubit[3] q; bit[2] c; negctrl @ rz(-3*pi/8) q[0], q[1]; swap q[0], q[2]; barrier q; c[0] = measure q[0];
  if (c == 1) { x q[2]; reset q[1]; } for int i in [0:1] { h q[i]; }`;

describe("text", () => {
  it("draws a Bell pair", () => {
    expect(`\n${drawText(circuit(BELL))}\n`).toMatchInlineSnapshot(`
      "
      q[0]: ──┤H├──●──┤M├──────
                   │   ║
      q[1]: ───────⊕───╫───┤M├─
                       ║    ║
      c[2]: ═══════════0════1══
      "
    `);
  });

  it("draws conditions, loops, barriers, resets and negative controls", () => {
    expect(`\n${drawText(circuit(FLOW))}\n`).toMatchInlineSnapshot(`
      "
      q[0]: ───────○───────×──░──┤M├────────────────────────⟦for i in [0:1]──┤h q[i]├──⟧─
                   │       │  ░   ║                                             │
      q[1]: ──┤Rz(-3π/8)├──┼──░───╫───⟦if c == 1──┤|0⟩├──⟧──⟦──────────────────┤″├─────⟧─
                           │  ░   ║                                             │
      q[2]: ───────────────×──░───╫───⟦────────────┤X├───⟧──⟦──────────────────┤″├─────⟧─
                                  ║
      c[2]: ══════════════════════0═══■══════════════════════════════════════════════════
      "
    `);
  });

  it("keeps to ASCII and to the width", () => {
    const text = drawText(circuit(FLOW), { ascii: true, width: 40 });
    expect(text).toMatch(/^[\x20-\x7e\n]*$/);
    expect(Math.max(...text.split("\n").map(line => line.length))).toBeLessThanOrEqual(40);
    expect(`\n${text}\n`).toMatchInlineSnapshot(`
      "
      q[0]: -------o--------x--:--[M]-
                   |        |  :   |
      q[1]: --[Rz(-3pi/8)]--+--:---+--
                            |  :   |
      q[2]: ----------------x--:---+--
                                   |
      c[2]: =======================0==

      q[0]: -----------------------
      q[1]: --{if c == 1--[|0>]--}-
      q[2]: --{------------[X]---}-
      c[2]: ==?====================

      q[0]: --{for i in [0:1]--[h q[i]]--}-
                                  |
      q[1]: --{------------------["]-----}-
                                  |
      q[2]: --{------------------["]-----}-
      c[2]: ===============================
      "
    `);
  });

  it("counts what is beyond 200 columns and 60 qubits", () => {
    const text = drawText(circuit(`qubit[100] q; for int i in [0:9] { h q[i]; } ${"x q[0];".repeat(1000)}`));
    expect(text).toContain("… 40 more qubits");
    expect(text).toContain("… 803 more operations");
  });

  it("folds a loop whose body is the same each time", () => {
    expect(
      `\n${drawText(circuit("qubit[2] q; for int i in [0:3] { h q[0]; cx q[0], q[1]; }"))}\n`,
    ).toMatchInlineSnapshot(`
      "
      q[0]: ──⟦×4──┤H├──●──⟧─
                        │
      q[1]: ──⟦─────────⊕──⟧─
      "
    `);
  });

  it("counts what happens to qubits that are not shown, and draws what joins them to the others", () => {
    const text = drawText(circuit(`qubit[1000] q; h q; cx q[3], q[900]; ${"cx q[800], q[900];".repeat(50)}`));
    expect(text).toContain("… 940 more qubits: ──────");
    expect(text.match(/⊕/g)).toHaveLength(1);
    expect(text).toContain("… 990 more operations");
  });

  it("draws the beginning of 100,000 gates, and counts the rest", () => {
    const long = circuit(
      `qubit[10] q; ${Array.from({ length: 100_000 }, (_, i) => `h q[${i % 10}];`).join("\n")}`,
    );
    expect(drawSvg(long).length).toBeLessThan(1_000_000);
    expect(drawText(long)).toContain("… 98,000 more operations");
  });

  it("draws nothing where there is nothing", () => {
    expect(drawText(circuit(""))).toBe("(no qubits)");
  });
});

describe("SVG", () => {
  it("is self-contained, without styles, scripts or links", () => {
    const svg = drawSvg(circuit(FLOW), { width: 300 });
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="\d+" height="\d+"/);
    expect(svg).not.toMatch(/<style|<script|href|class=|var\(|currentColor|NaN|undefined/);
    expect(
      [...svg.matchAll(/(?:fill|stroke)="([^"]*)"/g)].every(
        ([, colour]) => colour === "none" || /^#[0-9A-Fa-f]{6}$/.test(colour!),
      ),
    ).toBe(true);
  });

  it("escapes what comes from the program", () => {
    const svg = drawSvg(circuit("qubit q; bit[2] c; if (c < 1 && c != 2) { x q; }"));
    expect(svg).toContain("if c &lt; 1 &amp;&amp; c != 2");
    expect(svg).not.toContain("c < 1");
  });

  it("shows gates, parameters, controls and bits", () => {
    const svg = drawSvg(circuit(`${BELL} crx(pi/4) q[0], q[1];`));
    for (const part of [">H<", ">M<", ">Rx(π/4)<", ">q[0]<", ">c[2]<", ">1<"]) expect(svg).toContain(part);
  });
});
