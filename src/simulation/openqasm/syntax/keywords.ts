import { TYPE_NAMES } from "./type-parser.ts";

const COMMON = ["include", "qreg", "creg", "gate", "opaque", "measure", "reset", "barrier", "if"];
const NEW = [
  ...[
    "qubit",
    "const",
    "let",
    "input",
    "output",
    "def",
    "extern",
    "return",
    "for",
    "while",
    "else",
    "switch",
  ],
  ...[
    "in",
    "readonly",
    "mutable",
    "void",
    "break",
    "continue",
    "end",
    "delay",
    "box",
    "nop",
    "cal",
    "defcal",
  ],
  ...[
    "defcalgrammar",
    "OPENQASM",
    "case",
    "default",
    "inv",
    "pow",
    "ctrl",
    "negctrl",
    "gphase",
    "durationof",
    "true",
    "false",
    "im",
    ...TYPE_NAMES,
  ],
];

/** OpenQASM 2's equivalents of OpenQASM 3 words. */
const IN_VERSION_2: ReadonlyMap<string, string> = new Map([
  ["qubit", "qreg q[2];"],
  ["bit", "creg c[2];"],
]);

/** Returns the hint for a word of OpenQASM 3 in a program that says it is OpenQASM 2. */
export function versionHint(word: string): string {
  const old = IN_VERSION_2.get(word);
  return `${old ? `Write \`${old}\`, or begin` : "Begin"} the program with \`OPENQASM 3.0;\`.`;
}

/** Words of OpenQASM 2 that cannot be names. */
export const KEYWORDS_2: ReadonlySet<string> = new Set(COMMON);
/** Words of OpenQASM 3 that cannot be names. */
export const KEYWORDS_3: ReadonlySet<string> = new Set([...COMMON, ...NEW]);
