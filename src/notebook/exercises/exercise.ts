import { KetbookError } from "../../client/index.ts";
import { adviceFor, anyValue, type RecordedProgram } from "../../contract/index.ts";
import { card, html, paragraph, type RenderedView, type RichCell, raw } from "../../display/index.ts";
import { DisplayableValue } from "../values/displayable-value.ts";
import { LazyValue } from "../values/lazy-value.ts";
import { checkHelperOptions } from "../values/options.ts";
import { checks } from "./checks.ts";
import { CheckResult, ExerciseCheck } from "./exercise-check.ts";

/** Task of an exercise, and the checks of its answer. */
export interface ExerciseOptions {
  /** Task, in one or a few sentences. */
  statement: string;
  /** Checks that an answer must pass, all of them if a list. */
  check: ExerciseCheck | readonly ExerciseCheck[];
  /** Hints, which the exercise shows on a click, and `hint` one at a time. Default: none. */
  hints?: readonly string[];
}

/** An exercise, which shows itself as what is to be done. */
export class Exercise extends DisplayableValue {
  /** Name to use with `check` and `hint`. */
  readonly id: string;
  /** Task of the exercise. */
  readonly statement: string;
  /** @internal */
  readonly check: ExerciseCheck;
  /** @internal */
  readonly hints: readonly string[];
  /** @internal Hints that were revealed. */
  revealed = 0;

  /** @internal */
  constructor(id: string, { statement, check, hints = [] }: ExerciseOptions) {
    super();
    this.id = id;
    this.statement = statement;
    this.check = check instanceof ExerciseCheck ? check : checks.all(...check);
    this.hints = hints;
  }

  /** @internal */
  protected override render(): RenderedView {
    return card({
      kind: "exercise",
      title: this.id,
      facts: [
        ["Task", paragraph(this.statement)],
        ["Check it", `await check(${JSON.stringify(this.id)}, …)`],
        ...(this.hints.length > 0 ? [["Hints", this.#hintsCell()] as const] : []),
      ],
    });
  }

  /** Hints as disclosures, which open without a kernel; a terminal shows those that were revealed. */
  #hintsCell(): RichCell {
    const more = this.hints.length - this.revealed;
    const disclosures = this.hints.map(
      (hint, index) =>
        html`<details${index < this.revealed && raw(" open")}><summary style="cursor:pointer">Hint ${index + 1}</summary>${paragraph(hint).html}</details>`,
    );
    return {
      html: html`${disclosures}`,
      text: [
        ...this.hints.slice(0, this.revealed).map((hint, index) => `${index + 1}: ${paragraph(hint).text}`),
        ...(more > 0 ? [`hint(${JSON.stringify(this.id)}) shows the next of ${more}`] : []),
      ].join("\n"),
    };
  }
}

const EXERCISES = Symbol.for("ketbook.exercises");
const shared = globalThis as { [EXERCISES]?: Map<string, Exercise> };

/** The exercises of this process, whichever copy of the library has set them. */
const exercises = shared[EXERCISES] ?? new Map<string, Exercise>();
shared[EXERCISES] = exercises;

/**
 * Sets an exercise, which `check` checks answers to. Setting it again replaces it, and keeps the hints that were revealed.
 *
 * @example
 * ```ts
 * import { qasm } from "ketbook";
 * import { check, checks, exercise } from "ketbook/course";
 * exercise("bell-pair", {
 *   statement: "Prepare (|00⟩ + |11⟩)/√2.",
 *   check: checks.state({ "00": 0.7071, "11": 0.7071 }),
 *   hints: ["Begin with a qubit in superposition.", "A CNOT copies basis states."],
 * });
 * await check("bell-pair", qasm`OPENQASM 3.0; include "stdgates.inc"; qubit[2] q; h q[0]; cx q[0], q[1];`);
 * ```
 *
 * @throws KetbookError for an exercise without a statement or a check.
 */
export function exercise(id: string, options: ExerciseOptions): Exercise {
  const { statement, check, hints = [] } = Object(options) as ExerciseOptions;
  checkHelperOptions("exercise", options, { statement: anyValue, check: anyValue, hints: anyValue });
  const list = check instanceof ExerciseCheck ? [check] : check;
  if (typeof id !== "string" || !/^[\w.-]{1,80}$/.test(id))
    throw new KetbookError(`exercise: an id has letters, digits, "-", "_" and ".", such as "bell-pair".`);
  if (typeof statement !== "string" || statement.trim() === "")
    throw new KetbookError(`exercise(${JSON.stringify(id)}): describe the task in \`statement\`.`);
  if (!Array.isArray(list) || list.length === 0 || !list.every(one => one instanceof ExerciseCheck))
    throw new KetbookError(
      `exercise(${JSON.stringify(id)}): give \`check\` as checks.state(…), or as a list of checks.`,
    );
  if (!Array.isArray(hints) || !hints.every(hint => typeof hint === "string"))
    throw new KetbookError(`exercise(${JSON.stringify(id)}): hints must be a list of sentences.`);
  const made = new Exercise(id, { statement, check, hints });
  made.revealed = Math.min(exercises.get(id)?.revealed ?? 0, hints.length);
  exercises.set(id, made);
  return made;
}

/**
 * Checks an answer to an exercise. The result explains what is wrong: an input with a wrong output, a wrong outcome, or a
 * forbidden gate and its line.
 *
 * @param answer - A program, or what else the exercise asks for.
 * @throws KetbookError for an unknown exercise, and an answer of another kind.
 */
export function check(id: string, answer: string | RecordedProgram | number): LazyValue<CheckResult> {
  graded[RECORDER]?.(String(id), answer);
  return new LazyValue(`Check of ${String(id)}`, async () => {
    const asked = exerciseOf("check", id);
    return new CheckResult(asked.id, await asked.check.evaluate(answer), asked.hints.length - asked.revealed);
  });
}

/**
 * Reveals the next hint for an exercise, and shows it with those before.
 *
 * @throws KetbookError for an unknown exercise.
 */
export function hint(id: string): Exercise {
  const asked = exerciseOf("hint", id);
  asked.revealed = Math.min(asked.revealed + 1, asked.hints.length);
  return asked;
}

function exerciseOf(helper: string, id: string): Exercise {
  const found = exercises.get(id);
  if (found) return found;
  const names = [...exercises.keys()];
  const advice =
    names.length > 0 ? adviceFor(id, names) : "run the cell that sets it with exercise(…) first.";
  throw new KetbookError(
    `${helper}: There is no exercise ${JSON.stringify(String(id).slice(0, 80))}: ${advice}`,
  );
}

/** Receives each checked answer while notebooks are graded. */
const RECORDER = Symbol.for("ketbook.answers");
const graded = globalThis as { [RECORDER]?: (exercise: string, answer: unknown) => void };
