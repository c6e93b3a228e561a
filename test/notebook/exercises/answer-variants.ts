import { program, qasm } from "../../../src/index.ts";
import type { Answer } from "./course-answers.ts";

export const HEAD = 'OPENQASM 3.0;\ninclude "stdgates.inc";\n';

type Rewriting = (head: string, body: string, qubits: number) => string | undefined;

/** Other ways to write a program that change nothing of what it does; undefined for one that cannot be written so. */
const REWRITINGS: Record<string, Rewriting> = {
  comments: (head, body) => `/* mine */ ${head}${body.replaceAll("; ", ";\n// next\n")}`,
  barriers: (head, body) => `${head}barrier q; ${body}`,
  "a spare qubit": (head, body) => `${head}qubit spare; ${body}`,
  "double inverses": (head, body) =>
    /\b(?:gate|for)\b/.test(body)
      ? undefined
      : head + body.replace(/(^|[;{)] ?)([a-z]\w*(?:\([^;]*?\))? q)/g, "$1inv @ inv @ $2"),
  "a loop": (head, body) =>
    /\b(?:gate|bit)\b/.test(body) ? undefined : `${head}for int turn in [0:0] { ${body} }`,
  "a subroutine": (_, body, qubits) =>
    /\b(?:gate|bit|measure)\b/.test(body)
      ? undefined
      : `def act(qubit[${qubits}] r) { ${body.replace(/\bq\b/g, "r")} } qubit[${qubits}] q; act(q);`,
};

/** Ways that some exercises rule out, as they name qubits, count a global phase or allow few gates. */
const RESTRICTED: Record<string, Rewriting> = {
  "another name": (head, body) => (head + body).replace(/\bq\b/g, "data"),
  "two registers": (head, body, qubits) =>
    qubits < 2
      ? undefined
      : `${head.replace(/qubit\S* q;/, `qubit first; qubit[${qubits - 1}] rest; let q = first ++ rest;`)}${body}`,
  "a global phase": (head, body) => `${head}gphase(1); ${body}`,
};
const REFUSED: Record<string, readonly string[]> = {
  "h-of-native": ["QIR"],
  "make-y": ["a global phase"],
  "measure-xx": ["another name", "two registers"],
  "three-quarters": ["QIR"],
  teleport: ["another name", "two registers"],
  "swap-entanglement": ["another name", "two registers"],
};

/** A name of how an answer was written otherwise, the answer, and whether it is right. */
export type Variant = readonly [name: string, answer: unknown, isRight: boolean];

/** Returns other ways to write an answer to an exercise, and answers of other kinds that are wrong. */
export function variantsOf(id: string, answer: Answer, isRight: boolean): Variant[] {
  if (typeof answer === "number") return isRight ? numbersLike(answer) : [];
  const [, head = "", body = ""] = /^((?:(?:qu)?bit(?:\[\d+\])? \w+; ?)*)(.*)$/s.exec(answer)!;
  const qubits = Number(/qubit\[(\d+)\] q;/.exec(head)?.[1] ?? 1);
  const bits = /\bbit(?:\[(\d+)\])? \w/.exec(answer);
  const texts = Object.entries({ ...REWRITINGS, ...RESTRICTED }).map(
    ([name, rewrite]) => [name, rewrite(head, body, qubits)] as const,
  );
  const asked = qasm(HEAD + answer);
  const size = { qubits, bits: bits ? Number(bits[1] ?? 1) : 0 };
  const others = [
    ["the builder", program(size, q => q.apply(asked))] as const,
    ["QIR", asked.toQir()] as const,
    ["a record", asked.toJSON()] as const,
  ];
  return [...texts, ...others].flatMap(([name, given]) =>
    given === undefined ? [] : [[name, given, isRight && !REFUSED[id]?.includes(name)] as const],
  );
}

/** Ways to give a right number, and answers that are like it and wrong: of another sign, unit, precision or type. */
function numbersLike(value: number): Variant[] {
  const wrong = [
    -value,
    100 * value,
    value / 100,
    1000 * value,
    value / 1000,
    1.1 * value + 1,
    0.9 * value - 1,
  ];
  return [
    ...[value * (1 + 1e-14), value * (1 - 1e-14), Number(value.toFixed(9)), Number(value.toPrecision(4))].map(
      one => ["as a number", one, true] as const,
    ),
    ...[...wrong, Number.NaN, Number.POSITIVE_INFINITY]
      .filter(one => one !== value)
      .map(one => ["as a number", one, false] as const),
    ...[String(value), `${100 * value}%`, [value], { value }, null, undefined].map(
      one => [`as ${JSON.stringify(one)}`, one, false] as const,
    ),
  ];
}
