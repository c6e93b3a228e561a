import type { Circuit } from "../circuit/circuit.ts";
import { Diagnostics, fatalAt, ProgramError } from "../openqasm/diagnostics/diagnostic.ts";
import { type CompileLimits, DEFAULT_COMPILE_LIMITS } from "../openqasm/syntax/limits.ts";
import { SourceText } from "../source-text.ts";
import { QirFunction } from "./function.ts";
import { readModule } from "./module.ts";
import { QirTokens } from "./tokens.ts";

/**
 * Compiles a program in the text form of QIR's base or adaptive profile (`.ll`) to a circuit. Its results become the
 * register `c`, in the order in which they are recorded; numbers and truth values that it records become outputs under
 * their labels. Qubits may be allocated while it runs. Bitcode (`.bc`) is not read: `llvm-dis` writes it as text.
 * Throws a {@link ProgramError} at the first thing that is wrong.
 */
export function compileQir(source: string, limits: Partial<CompileLimits> = {}): Circuit {
  const all = { ...DEFAULT_COMPILE_LIMITS, ...limits };
  if (source.length > all.maxSource)
    throw new ProgramError([
      {
        line: 1,
        column: 1,
        message: `The program has ${source.length.toLocaleString("en-US")} characters, too many.`,
      },
    ]);
  const diagnostics = new Diagnostics(new SourceText(source));
  try {
    if (/^(?:BC\W|QkPA3)/.test(source))
      throw fatalAt(
        0,
        "This is LLVM's bitcode; QIR is taken in its text form.",
        "Write it out with `llvm-dis program.bc`, and hand in the `.ll` file.",
      );
    return entryOf(source, all);
  } catch (error) {
    return diagnostics.fail(error);
  }
}

const ENTRY = /entry_point|EntryPoint/;

/** Finds the function that is marked as the entry point, and compiles it. */
function entryOf(source: string, limits: CompileLimits): Circuit {
  const attributes = attributesOf(source);
  const tokens = new QirTokens(source, limits.maxTokens);
  const module = readModule(tokens);
  for (const { marks, body } of module.functions.values()) {
    const own = /#\d+/.exec(marks)?.[0];
    const text = own ? (attributes.get(own) ?? "") : marks;
    if (!ENTRY.test(text)) continue;
    const need = (what: string) =>
      Number(new RegExp(`"(?:required_)?num_(?:required_)?${what}"="(\\d{1,9})"`).exec(text)?.[1] ?? 0);
    tokens.seek(body);
    return new QirFunction(tokens, module, limits, need("qubits")).compile(
      source,
      Math.min(need("results"), limits.maxBits),
      recordedIn(source),
    );
  }
  throw fatalAt(0, 'There is no function with the attribute "entry_point".');
}

const RECORD =
  /@__quantum__rt__result_record_output\(\s*(?:%Result\*|ptr)\s+(?:null|inttoptr\s*\(\s*i64\s+(\d{1,9})\s)/g;

/** Returns the results in the order in which they are recorded. */
function recordedIn(source: string): number[] {
  return [...new Set(Array.from(source.matchAll(RECORD), ([, result]) => Number(result ?? 0)))];
}

function attributesOf(source: string): Map<string, string> {
  const groups = new Map<string, string>();
  for (const line of source.split("\n")) {
    const found = /^\s*attributes\s+(#\d+)\s*=\s*\{([^}]*)\}/.exec(line);
    if (found) groups.set(found[1]!, found[2]!);
  }
  return groups;
}
