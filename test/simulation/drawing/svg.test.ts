import { describe, expect, test } from "vitest";
import { compile, drawSvg } from "../../../src/simulation/index.ts";
import { HEAD } from "../run.ts";
import { BELL, circuit, FLOW } from "./circuits.ts";

describe("SVG", () => {
  test("is self-contained, without styles, scripts or links", () => {
    const svg = drawSvg(circuit(FLOW), { width: 300 });
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="\d+" height="\d+"/);
    expect(svg).not.toMatch(/<style|<script|href|class=|var\(|NaN|undefined/);
    expect(
      [...svg.matchAll(/(?:fill|stroke)="([^"]*)"/g)].every(
        ([, colour]) => ["none", "currentColor"].includes(colour!) || /^#[0-9A-Fa-f]{6}$/.test(colour!),
      ),
    ).toBe(true);
  });

  test("escapes what comes from the program", () => {
    const svg = drawSvg(circuit("qubit q; bit[2] c; if (c < 1 && c != 2) { x q; }"));
    expect(svg).toContain("if c &lt; 1 &amp;&amp; c != 2");
    expect(svg).not.toContain("c < 1");
  });

  test("keeps letters of other scripts whole", () => {
    const data = `${HEAD}qubit[2] 量子; gate שער a { h a; } שער 量子[0]; x 量子[1];`;
    const svg = drawSvg(compile({ format: "qasm3", data }));
    expect(svg).toMatch(/>量子<tspan [^>]*>\[0\]</);
    expect(svg).toContain(">שער<");
  });

  test("frames loops within each other, each with a line for its label, and continues with them at a fold", () => {
    const body = `for int i in [0:3] { if (c[0]) { h q[0]; } else { x q[1]; } ${"h q[0]; ".repeat(9)} }`;
    const svg = drawSvg(circuit(`qubit[2] q; bit[2] c; ${body}`), { fold: 9 });
    const label = (text: string) => Number(new RegExp(` y="([^"]*)"[^>]*>${text}<`).exec(svg)![1]);
    expect(label("if c\\[0\\]") - label("×4")).toBeGreaterThan(11);
    expect(svg).toContain(">… ×4<");
  });

  test("shows a measurement as a dial, in a white box like every gate", () => {
    const svg = drawSvg(circuit(BELL));
    const boxes = svg.match(/<path [^>]*h24[^>]*>/g)!;
    expect(boxes).toHaveLength(3);
    expect(boxes.every(box => box.includes('fill="#ffffff"'))).toBe(true);
    expect(svg.match(/A9 9 /g)).toHaveLength(2);
  });

  test("shows gates, parameters, controls and bits", () => {
    const svg = drawSvg(circuit(`${BELL} crx(pi/4) q[0], q[1];`));
    for (const part of [">H<", ">R<", ">x<", ">π/4<", ">[0]<", ">c<", ">2<", ">0:1<"])
      expect(svg).toContain(part);
  });

  test("fills gates with the colour of their edges, and writes in them in white", () => {
    const svg = drawSvg(circuit("qubit q; h q;"), { filled: true });
    expect(svg).toMatch(/<path [^>]*fill="#155ec1" stroke="#155ec1"/);
    expect(svg).toMatch(/fill="#ffffff"[^>]*>H</);
  });

  test("puts a bracket around one pass of a loop, and a frame around what a condition holds for", () => {
    const svg = drawSvg(circuit("qubit q; bit c; for int i in [0:3] { h q; } if (c) { x q; }"));
    const looks = [...svg.matchAll(/d="([^"]*)" fill="none" stroke="#(45297c|a44a27)"/g)];
    const corners = (color: string) =>
      looks.filter(([, , stroke]) => stroke === color).map(([, path]) => path!.match(/M/g)!.length);
    expect(corners("45297c")).toContain(2);
    expect(corners("a44a27")).toContain(1);
  });

  test("writes angles as fractions of π down to π/64", () => {
    const svg = drawSvg(circuit("qubit q; rx(pi/37) q; rx(3*pi/64) q;"));
    expect(svg).toContain(">π/37<");
    expect(svg).toContain(">3π/64<");
  });

  test("draws an else in the frame of its if, whose condition is read once", () => {
    const svg = drawSvg(circuit("qubit q; bit c; if (c) { x q; } else { z q; }"));
    const frames = [...svg.matchAll(/d="M([\d.]+) [\d.]+ H([\d.]+) [^"]*" fill="none" stroke="#a44a27"/g)];
    expect(frames).toHaveLength(2);
    expect(frames[1]![1]).toBe(frames[0]![2]);
    expect(svg.match(/fill="#a44a27" stroke="#a44a27"/g)).toHaveLength(1);
  });

  test("names the operands of a gate in its box as its definition does, under modifiers too", () => {
    const gate = "gate pair left, right { cx left, right; } qubit[3] q;";
    for (const call of ["pair q[0], q[1];", "ctrl @ pair q[2], q[0], q[1];", "inv @ pair q[0], q[1];"]) {
      const svg = drawSvg(circuit(`${gate} ${call}`));
      expect(svg).toContain(">left<");
      expect(svg).toContain(">right<");
    }
  });
});
