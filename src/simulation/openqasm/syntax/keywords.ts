export const TYPE_NAMES: ReadonlySet<string> = new Set(
  "bit bool int uint float angle complex duration stretch array".split(" "),
);

const COMMON = "include qreg creg gate opaque measure reset barrier if".split(" ");
const STATEMENTS = "qubit const let input output def extern return for while else switch break continue end";
const TIMING = "delay box nop cal defcal defcalgrammar durationof";
const OTHERS = "in readonly mutable void OPENQASM case default inv pow ctrl negctrl gphase true false im";

/** Returns the hint for a word of OpenQASM 3 in a program that says it is OpenQASM 2. */
export function versionHint(word: string): string {
  const old = word === "qubit" ? "qreg q[2];" : word === "bit" ? "creg c[2];" : undefined;
  return `${old ? `Write \`${old}\`, or begin` : "Begin"} the program with \`OPENQASM 3.0;\`.`;
}

export const KEYWORDS_2: ReadonlySet<string> = new Set(COMMON);
export const KEYWORDS_3: ReadonlySet<string> = new Set([
  ...[STATEMENTS, TIMING, OTHERS].flatMap(words => words.split(" ")),
  ...[...COMMON, ...TYPE_NAMES],
]);

const WORDS: ReadonlyMap<string, string> = new Map([
  ["and", "Write && for `and`."],
  ["or", "Write || for `or`."],
  [".", "OpenQASM has no members of objects: a gate is called as in `h q[0];`, and the number π is `pi`."],
  [":", "Put blocks in braces, without a colon."],
  ["then", "Remove `then` and put blocks in braces."],
]);

/** Returns a hint for syntax of other languages, by the expected token, the one that was found and the word `before` it. */
export function habitHint(wanted: string, found: string, before: string): string | undefined {
  if (before === "not") return "Write ! for `not`.";
  if (wanted === "(" && (before === "if" || before === "while"))
    return `Put the condition in parentheses, as in \`${before} (c == 1) { … }\`.`;
  if (wanted === ";" && found === "@") return "The modifiers of a gate are inv, pow(k), ctrl and negctrl.";
  if (wanted === ";" && found === "=") return "A declaration begins with a type, as in `int x = 5;`.";
  if (wanted === ";" && found === "(")
    return "Put indices in brackets, as in `q[0]`; a subroutine begins with `def`, as in `def f(qubit q) { … }`.";
  if (wanted === ";" && found === ",")
    return "Leave the comma out: qubits follow the parenthesis, and each variable has a separate declaration.";
  return WORDS.get(found);
}
