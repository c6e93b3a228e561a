import { type MimeBundle, visible } from "../display/index.ts";
import type { FrontEnd } from "./front-end.ts";

const START_OF_LINE = "\r\u001b[2K";

/** The front end of a person's terminal, or undefined where standard output is something else. */
export function terminalFrontEnd(): FrontEnd | undefined {
  return process.stdout.isTTY ? { kind: "terminal", canUpdate: false, display: print } : undefined;
}

/** The front end of a pipe, a file, or a kernel nobody knows: everything prints as text. */
export function textFrontEnd(): FrontEnd {
  return { kind: "none", canUpdate: false, display: print };
}

function print(bundle: MimeBundle): void {
  const text = bundle["text/plain"];
  if (typeof text === "string") process.stdout.write(`${visible(text)}\n`);
}

/** Rewrites the terminal's current line, cut to its width. The text can't move the cursor or change colours. */
export function rewriteLine(text: string): void {
  const [first = ""] = text.split("\n", 1);
  const width = Math.max(1, (process.stdout.columns || 80) - 1);
  process.stdout.write(START_OF_LINE + Array.from(visible(first)).slice(0, width).join(""));
}

export function eraseLine(): void {
  process.stdout.write(START_OF_LINE);
}
