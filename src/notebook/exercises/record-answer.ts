const RECORDER = Symbol.for("ketbook.answers");

/** Receives each checked answer while notebooks are graded. */
export type AnswerRecorder = (exercise: string, answer: unknown) => void;

/** Hands an answer to whoever grades the notebook; where nobody does, it does nothing. @internal */
export function recordAnswer(exercise: string, answer: unknown): void {
  const record = (globalThis as { [RECORDER]?: AnswerRecorder })[RECORDER];
  record?.(exercise, answer);
}
