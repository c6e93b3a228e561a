export const textOf = (data: string | object) =>
  typeof data === "string" ? data : JSON.stringify(data, null, 2);

/** OpenQASM and LLVM comments that may precede a program's first word. */
const LEAD = String.raw`^(?:\s|\/\/[^\n]*\n|\/\*(?:[^*]|\*(?!\/))*\*\/|;[^\n]*\n)*`;
const QASM_2 = new RegExp(`${LEAD}OPENQASM\\s+2\\b`);
const LLVM = new RegExp(`${LEAD}(?:[%@!]|(?:source_filename|target|define|declare|attributes)\\s)`);

export function formatOf(text: string): string {
  if (LLVM.test(text) && text.includes("@__quantum__")) return "qir.ll";
  return QASM_2.test(text) ? "qasm2" : "qasm3";
}
