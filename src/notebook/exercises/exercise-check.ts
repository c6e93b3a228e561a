import { randomHex, sha256Hex, toBase64 } from "#host";
import { KetbookError } from "../../client/index.ts";
import type { RecordedProgram } from "../../contract/index.ts";
import {
  type Cell,
  card,
  code,
  formatPercent,
  meter,
  paragraph,
  type RenderedView,
  raw,
  series,
  table,
} from "../../display/index.ts";
import { compile, ProgramError } from "../../simulation/index.ts";
import { QasmProgram } from "../programs/program.ts";
import { isProgramProblem } from "../programs/program-figures.ts";
import { DisplayableValue } from "../values/displayable-value.ts";

/** Plain data of a check's result. */
export interface CheckRecord {
  /** The exercise. */
  exercise: string;
  /** Whether the answer is right in everything. */
  passed: boolean;
  /** Findings of each check. */
  findings: CheckFinding[];
}

/** Result of a check, shown with explanations and a counterexample. */
export class CheckResult extends DisplayableValue {
  /** The exercise. */
  readonly exercise: string;
  /** Whether the answer is right in everything. */
  readonly passed: boolean;
  /** Findings of each check. */
  readonly findings: readonly CheckFinding[];
  readonly #shown: readonly ShownFinding[];
  readonly #hints: number;

  /** @internal */
  constructor(exercise: string, findings: readonly ShownFinding[], hints: number) {
    super();
    this.exercise = exercise;
    this.passed = findings.length > 0 && findings.every(({ passed }) => passed);
    this.findings = findings.map(({ title, passed, message }) => ({ title, passed, message }));
    this.#shown = findings;
    this.#hints = hints;
  }

  /** The findings as plain data. */
  toJSON(): CheckRecord {
    return { exercise: this.exercise, passed: this.passed, findings: [...this.findings] };
  }

  /** @internal */
  protected override render(): RenderedView {
    const { exercise, passed } = this;
    const hint = `hint(${JSON.stringify(exercise)})`;
    return card({
      kind: "exercise",
      title: exercise,
      badge: passed ? "✓ right" : "✗ not yet",
      blocks: this.#shown.map(({ view }) => view && { html: raw(view.html), text: view.text }),
      facts: this.#shown.map(one => [one.title, messageCell(one)] as const),
      note: passed || this.#hints === 0 ? undefined : `${hint} gives a hint.`,
    });
  }
}

const messageCell = ({ passed, message }: CheckFinding): Cell =>
  paragraph(`${passed ? "✓" : "✗"} ${message}`);

/** Finding of a check about an answer. */
export interface CheckFinding {
  /** Checked property, such as `State`. */
  readonly title: string;
  /** Whether the answer is right in this. */
  readonly passed: boolean;
  /** Explanation in whole sentences. */
  readonly message: string;
}

export interface ShownFinding extends CheckFinding {
  readonly view?: RenderedView | undefined;
}

export const shareCell = (share: number) => ({ share, label: formatPercent(share) });

interface ComparedRow {
  readonly name: string;
  readonly wanted: ReturnType<typeof shareCell>;
  readonly found: ReturnType<typeof shareCell>;
  readonly isRight: boolean;
}

export const comparisonTable = (caption: string, noun: string, rows: readonly ComparedRow[]): RenderedView =>
  table<ComparedRow>({
    ...{ caption, noun: `${noun.toLowerCase()}s`, rows, limit: 16 },
    columns: [
      { label: noun, value: ({ name }) => code(name) },
      { label: "Expected", value: ({ wanted }) => meter(wanted.share, { ...wanted, color: series[0] }) },
      { label: "Yours", value: ({ found }) => meter(found.share, { ...found, color: series[1] }) },
      { label: "", value: ({ isRight }) => (isRight ? "✓" : "✗") },
    ],
  });

/** A property that the answer to an exercise must have; `checks` makes them. */
export class ExerciseCheck {
  /** Checked property, such as `State`. */
  readonly title: string;
  /** @internal */
  readonly evaluate: (answer: unknown) => Promise<ShownFinding[]>;
  readonly #recipe: CheckRecipe | undefined;

  /** @internal */
  constructor(
    title: string,
    evaluate: (answer: unknown) => ShownFinding[] | Promise<ShownFinding[]>,
    recipe?: CheckRecipe,
  ) {
    this.title = title;
    this.evaluate = async answer => evaluate(answer);
    this.#recipe = recipe;
  }

  /**
   * Text for `checks.sealed` that makes this check again, and does not show its target: a program is stored as its matrix or
   * state, encoded with a salt. It keeps a reader from seeing the answer, not a programmer from decoding it.
   *
   * @throws KetbookError for a check that has no target.
   */
  seal(): string {
    if (!this.#recipe)
      throw new KetbookError(
        `seal: ${this.title} has no target. Seal checks.unitary, state, distribution or number.`,
      );
    const salt = randomHex(SALT_LENGTH / 2);
    const bytes = masked(new TextEncoder().encode(JSON.stringify(this.#recipe)), salt);
    return salt + toBase64(bytes);
  }
}

export type CheckedProgram = ReturnType<typeof compileAnswer>;

/** Judgement of a program: why it does not pass, or more than that. */
export type Verdict =
  | string
  | { readonly passed?: boolean; readonly message: string; readonly view?: RenderedView | undefined };

/** Makes a check of programs. What cannot be compiled or simulated does not pass, and the reason is said. */
export function programCheck(
  title: string,
  evaluate: (answer: CheckedProgram) => Verdict,
  recipe?: CheckRecipe,
): ExerciseCheck {
  const verdictOn = (answer: unknown): Verdict => {
    try {
      return evaluate(compileAnswer(answer));
    } catch (error) {
      if (!isProgramProblem(error)) throw error;
      return `The program ${error instanceof ProgramError ? "does not compile" : "cannot be run"}: ${error.message}`;
    }
  };
  const judge = (answer: unknown) => {
    const found = verdictOn(answer);
    return [{ title, passed: false, ...(typeof found === "string" ? { message: found } : found) }];
  };
  return new ExerciseCheck(title, judge, recipe);
}

const isProgram = (value: unknown): value is string | RecordedProgram =>
  typeof value === "string" || typeof Object(value).data === "string";

export function compileAnswer(answer: unknown) {
  if (!isProgram(answer))
    throw new KetbookError("check: this exercise needs a program, such as qasm`…` makes.");
  const program = QasmProgram.of(answer);
  return { program, circuit: compile(program.source) };
}

export const lineText = ({ program }: CheckedProgram, line: number | null): string =>
  line === null ? "" : (program.data.split("\n")[line - 1] ?? "").trim();

export function quoteLine(answer: CheckedProgram, line: number | null): string {
  const text = lineText(answer, line);
  return line === null ? "" : ` (line ${line}: ${text.length > 60 ? `${text.slice(0, 59)}…` : text})`;
}

export type CheckRecipe = readonly [name: (typeof NAMES)[number], ...args: unknown[]];

const NAMES = ["unitary", "state", "distribution", "number"] as const;
const SALT_LENGTH = 8;

export function openSeal(text: string): CheckRecipe {
  try {
    const sealed = Uint8Array.from(atob(text.slice(SALT_LENGTH)), character => character.charCodeAt(0));
    const recipe = JSON.parse(new TextDecoder().decode(masked(sealed, text.slice(0, SALT_LENGTH))));
    if (Array.isArray(recipe) && NAMES.includes(recipe[0])) return recipe as unknown as CheckRecipe;
  } catch {
    // The text is not a seal.
  }
  throw new KetbookError("checks.sealed: the text is not complete. Copy everything that seal() returned.");
}

/** Masks bytes, or unmasks them, by the hashes of a salt and a counter. */
function masked(bytes: Uint8Array, salt: string): Uint8Array {
  let stream = "";
  for (let block = 0; stream.length < 2 * bytes.length; block++) stream += sha256Hex(`${salt} ${block}`);
  return bytes.map((byte, i) => byte ^ Number.parseInt(stream.slice(2 * i, 2 * i + 2), 16));
}

export const plainAmplitudes = (column: ArrayLike<number>): (number | [number, number])[] =>
  Array.from({ length: column.length / 2 }, (_, index) => {
    const [re, im] = [column[2 * index]!, column[2 * index + 1]!].map(part => Number(part.toFixed(8)) + 0);
    return im === 0 ? re! : [re!, im!];
  });
