import type { CompletionItem } from "../kernels/cells/index.ts";
import {
  COMPLEX_FUNCTIONS,
  CONSTANTS,
  factsOf,
  KEYWORDS_2,
  KEYWORDS_3,
  libraries,
  REAL_FUNCTIONS,
  WORD_FUNCTIONS,
} from "../simulation/openqasm/index.ts";

/** A name that a program in OpenQASM can speak of. */
interface ProgramName {
  name: string;
  kind: "gate" | "function" | "register" | "variable" | "constant" | "keyword";
  /** Declaration or call of the name. */
  form: string;
  description?: string | undefined;
}

const WORD_BEFORE = /[\p{ID_Continue}$]*$/u;
const WORD_AFTER = /^[\p{ID_Continue}]*/u;
const COMMENT = /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g;
const INSIDE_STRING = /\binclude\s*["'][^"'\n]*$/;
const DEFINITION = /\b(gate|opaque|def|extern)\s+([\p{ID_Continue}]+)\s*(?:\(([^)]*)\))?\s*([^{;]*)/gu;
const REGISTER = /\b(qubit|bit|qreg|creg)\b\s*(?:\[([^\]]*)\])?\s*([\p{ID_Continue}]+)\s*(?:\[([^\]]*)\])?/gu;
const VARIABLE =
  /\b((?:(?:const|input|output)\s+)?(?:int|uint|float|angle|bool|duration|stretch|complex|array)\s*(?:\[[^\]=;]*\])*)\s+([\p{ID_Continue}]+)/gu;
const ALIAS = /\blet\s+([\p{ID_Continue}]+)/gu;
const LETTERS = "abcdefgh";

/** The names that can be written at an offset of a program, which need not be whole. */
export function completeProgram(source: string, offset: number): { start: number; items: CompletionItem[] } {
  const before = source.slice(0, offset);
  const plain = withoutComments(before);
  const word = WORD_BEFORE.exec(before)![0];
  if (plain.length > 0 && /\/\/[^\n]*$/.test(before)) return { start: offset, items: [] };
  if (INSIDE_STRING.test(plain)) {
    const start = Math.max(before.lastIndexOf('"'), before.lastIndexOf("'")) + 1;
    return { start, items: libraries(isVersion2(source)).files.map(name => ({ name, kind: "file" })) };
  }
  return {
    start: offset - word.length,
    items: namesIn(source).map(({ name, kind }) => ({ name, kind })),
  };
}

/** Returns a description of the name at an offset of a program, as Markdown; undefined if there is no known name. */
export function describeInProgram(source: string, offset: number): string | undefined {
  const word = WORD_BEFORE.exec(source.slice(0, offset))![0] + WORD_AFTER.exec(source.slice(offset))![0];
  if (/\/\/[^\n]*$/.test(source.slice(0, offset))) return undefined;
  const found = namesIn(source).find(({ name }) => name === word);
  return found && [`\`\`\`\n${found.form}\n\`\`\``, found.description].filter(Boolean).join("\n\n");
}

const isVersion2 = (source: string): boolean => /^\s*OPENQASM\s+2/m.test(source);
const withoutComments = (source: string): string =>
  source.replace(COMMENT, comment => comment.replace(/[^\n]/g, " "));

/** The program's own names come first, and hide those of the language. */
function namesIn(source: string): ProgramName[] {
  const version2 = isVersion2(source);
  const names = [...ownNames(withoutComments(source)), ...gates(version2), ...language(version2)];
  const seen = new Set<string>();
  return names.filter(({ name }) => !seen.has(name) && seen.add(name));
}

function* ownNames(source: string): Generator<ProgramName> {
  for (const [text, word = "", name = "", parameters = "", rest = ""] of source.matchAll(DEFINITION)) {
    const isGate = word === "gate" || word === "opaque";
    yield {
      name,
      kind: isGate ? "gate" : "function",
      form: text.trim().replace(/\s+/g, " "),
      description: `A ${isGate ? "gate" : "subroutine"} of this program.`,
    };
    if (!isGate) continue;
    for (const each of `${parameters},${rest}`.split(",")) {
      if (each.trim())
        yield { name: each.trim(), kind: "variable", form: each.trim(), description: `Of ${name}.` };
    }
  }
  for (const [, type = "", size = "", name = "", sizeAfter = ""] of source.matchAll(REGISTER)) {
    const length = size || sizeAfter;
    const quantum = type.startsWith("q") ? "qubit" : "bit";
    const description = length ? `A register of ${length} ${quantum}s.` : `A ${quantum}.`;
    yield { name, kind: "register", form: `${quantum}${length && `[${length}]`} ${name}`, description };
  }
  for (const [, type = "", name = ""] of source.matchAll(VARIABLE)) {
    yield { name, kind: "variable", form: `${type.replace(/\s+/g, " ")} ${name}` };
  }
  for (const [, name = ""] of source.matchAll(ALIAS)) yield { name, kind: "variable", form: `let ${name}` };
}

function* gates(version2: boolean): Generator<ProgramName> {
  const { builtIn, files, gatesOf } = libraries(version2);
  const sources = [{ from: "", list: builtIn }, ...files.map(file => ({ from: file, list: gatesOf(file)! }))];
  for (const { from, list } of sources) {
    for (const gate of list) {
      const { name, numParams, numQubits } = gate;
      const parameters = numParams > 0 ? `(${["θ", "φ", "λ", "γ"].slice(0, numParams).join(", ")})` : "";
      const qubits = [...LETTERS.slice(0, numQubits)].join(", ");
      const said = factsOf(gate).about;
      yield {
        name,
        kind: "gate",
        form: `gate ${name}${parameters} ${qubits}`.trim(),
        description: [said && `${said}.`, from && `From \`${from}\`.`].filter(Boolean).join(" "),
      };
    }
  }
}

function* language(version2: boolean): Generator<ProgramName> {
  for (const name of REAL_FUNCTIONS.keys())
    yield { name, kind: "function", form: `${name}(x)`, description: "A function of numbers." };
  for (const name of version2 ? [] : [...COMPLEX_FUNCTIONS, ...WORD_FUNCTIONS, "sizeof"])
    yield { name, kind: "function", form: `${name}(…)`, description: "A function of the language." };
  for (const [name, value] of CONSTANTS)
    yield { name, kind: "constant", form: name, description: `The number ${value}.` };
  for (const name of [...(version2 ? KEYWORDS_2 : KEYWORDS_3)].sort())
    yield { name, kind: "keyword", form: name, description: "A word of the language." };
}
