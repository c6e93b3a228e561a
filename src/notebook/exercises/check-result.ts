import { paragraph } from "../../display/cell.ts";
import { html, raw } from "../../display/html.ts";
import { type Cell, card, type RenderedView } from "../../display/index.ts";
import { DisplayableValue } from "../values/displayable-value.ts";
import type { CheckFinding, ShownFinding } from "./exercise-check.ts";

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
      blocks: this.#shown.flatMap(({ view }) => (view ? [blockOf(view)] : [])),
      facts: this.#shown.map(one => [one.title, messageCell(one)] as const),
      note: passed || this.#hints === 0 ? undefined : `${hint} gives a hint.`,
    });
  }
}

const blockOf = (view: RenderedView) => ({
  html: { html: html`${raw(view.html)}`, text: view.text },
  text: view.text,
});

const messageCell = ({ passed, message }: CheckFinding): Cell =>
  paragraph(`${passed ? "✓" : "✗"} ${message}`);
