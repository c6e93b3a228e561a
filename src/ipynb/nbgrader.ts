import type { Cell } from "./format.ts";

interface NbgraderMetadata {
  /** The same in the course's notebook and in every copy of it. */
  readonly id: string | undefined;
  /** Whether the cell is the course's own, and no answer. */
  readonly isLocked: boolean;
  /** Whether the cell holds what students replace. */
  readonly isSolution: boolean;
  /** Points for the cell; undefined where it is not graded. */
  readonly points: number | undefined;
}

/** Reads what nbgrader keeps of a cell; of other cells nothing is set. */
export function nbgraderOf({ metadata }: Cell): NbgraderMetadata {
  const {
    grade_id: id,
    locked,
    solution,
    grade,
    points,
  } = Object(metadata.nbgrader) as Record<string, unknown>;
  return {
    id: typeof id === "string" ? id : undefined,
    isLocked: locked === true && solution !== true,
    isSolution: solution === true,
    points: grade === true && typeof points === "number" && points >= 0 ? points : undefined,
  };
}

const CHECKED = /\bcheck\s*\(\s*(["'`])([\w.-]+)\1/g;

export const exercisesChecked = ({ source }: Cell): string[] =>
  [...source.matchAll(CHECKED)].map(match => match[2]!);
