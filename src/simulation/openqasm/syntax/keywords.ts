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

/** Words of OpenQASM 2 that cannot be names. */
export const KEYWORDS_2: ReadonlySet<string> = new Set(COMMON);
/** Words of OpenQASM 3 that cannot be names. */
export const KEYWORDS_3: ReadonlySet<string> = new Set([...COMMON, ...NEW]);
