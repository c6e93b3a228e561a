import type { RecordedProgram } from "../../contract/program.ts";
import { card, type Drawing, type Form, picture } from "../../display/index.ts";
import { compile, drawSvg, drawText, ProgramError } from "../../simulation/index.ts";

/** A program's circuit as picture and text; or, where there is none, the problem. */
export type DrawnProgram = { drawing: Drawing } | { problem: string };

/** Draws a program. A program with mistakes gives the mistakes. */
export function drawProgram({ format, data }: RecordedProgram): DrawnProgram {
  const isKnown = format === "qasm3" || format === "qasm2" || format === "qir.ll";
  if (!isKnown || typeof data !== "string") return { problem: `A program in ${format} cannot be drawn.` };
  try {
    const circuit = compile({ format, data }, { openInputs: true });
    return { drawing: { svg: drawSvg(circuit), text: drawText(circuit) } };
  } catch (error) {
    if (error instanceof ProgramError) return { problem: error.message };
    throw error;
  }
}

/** Shows a program as its circuit; with mistakes, as its text and what is wrong. */
export function circuitForm(program: RecordedProgram): Form {
  const drawn = drawProgram(program);
  if ("drawing" in drawn) {
    const { html, text } = picture(drawn.drawing, "Circuit diagram");
    return { html: html.toString(), text };
  }
  return card({
    kind: "program",
    title: "This program does not compile",
    facts: [["Problem", drawn.problem]],
  });
}
