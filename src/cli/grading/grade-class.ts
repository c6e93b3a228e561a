import { availableParallelism } from "node:os";
import { NotebookError } from "../../ipynb/errors.ts";
import type { Notebook } from "../../ipynb/format.ts";
import { readNotebook } from "../ipynb/read.ts";
import { compileCells } from "./compile-cells.ts";
import { type CourseKernel, openCourseKernel, type Verdict } from "./course-kernel.ts";
import { findNotebooks, findSubmissions, type SubmittedFile } from "./find-notebooks.ts";
import { type CourseNotebook, matchCourse, pointsOf, restoreLocked } from "./match-course.ts";
import { runSandbox, type SandboxLimits } from "./sandbox-process.ts";

/** An exercise of a student. */
export interface ExerciseGrade extends Verdict {
  readonly exercise: string;
  readonly points: number;
  readonly maxPoints: number;
}

/** The notebook of a student with its grades. */
export interface NotebookGrade {
  readonly student: string;
  /** The path below the folder of submissions. */
  readonly notebook: string;
  /** The course's notebook; null where none was found. */
  readonly course: string | null;
  readonly points: number;
  readonly maxPoints: number;
  readonly exercises: readonly ExerciseGrade[];
  /** What went wrong beside the answers: cells that failed, and why the notebook was stopped. */
  readonly problems: readonly string[];
}

/** How a class is graded. */
export interface GradeOptions {
  readonly limits: SandboxLimits;
  /** Notebooks that are executed at the same time. Default: as many as there are cores. */
  readonly jobs?: number;
  progress?(done: number, total: number, grade: NotebookGrade): void;
  /** Hears what is odd about the course. */
  warn(text: string): void;
}

/** Executes the notebooks of a class, each in a process of its own, and judges their answers by the course's exercises. */
export async function gradeClass(
  folder: string,
  against: string,
  options: GradeOptions,
): Promise<NotebookGrade[]> {
  const courses = findNotebooks(against).map(path => ({ path, notebook: readNotebook(path) }));
  if (courses.length === 0) throw new NotebookError(`There is no notebook at ${against}.`);
  const files = findSubmissions(folder);
  if (files.length === 0) throw new NotebookError(`There are no notebooks in ${folder}.`);
  const kernels = new Map<CourseNotebook, Promise<JudgingKernel>>();
  const kernelOf = (course: CourseNotebook) => {
    const opened = kernels.get(course) ?? openJudge(course, options);
    kernels.set(course, opened);
    return opened;
  };
  const grades: NotebookGrade[] = [];
  const waiting = [...files.entries()];
  let done = 0;
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [index, file] = next;
      grades[index] = await gradeNotebook(file, courses, kernelOf, options.limits);
      options.progress?.(++done, files.length, grades[index]);
    }
  };
  try {
    await Promise.all(
      Array.from({ length: Math.min(options.jobs ?? availableParallelism(), files.length) }, work),
    );
    return grades;
  } finally {
    for (const opened of kernels.values())
      await opened.then(({ kernel }) => kernel.stop()).catch(() => undefined);
  }
}

interface JudgingKernel {
  readonly kernel: CourseKernel;
  readonly points: ReadonlyMap<string, number>;
  /** Judges one answer after the other. */
  judge: CourseKernel["judge"];
}

async function openJudge({ path, notebook }: CourseNotebook, { warn }: GradeOptions): Promise<JudgingKernel> {
  const kernel = await openCourseKernel(path, notebook);
  if (kernel.failedCells.length > 0)
    warn(`${path}: cell ${kernel.failedCells.join(", ")} of the course fails.`);
  if (kernel.exercises.length === 0) warn(`${path} sets no exercise.`);
  let before: Promise<unknown> = Promise.resolve();
  return {
    kernel,
    points: pointsOf(notebook, kernel.exercises),
    judge(exercise, answer) {
      const judged = before.then(() => kernel.judge(exercise, answer));
      before = judged.catch(() => undefined);
      return judged;
    },
  };
}

async function gradeNotebook(
  { path, name, student }: SubmittedFile,
  courses: readonly CourseNotebook[],
  kernelOf: (course: CourseNotebook) => Promise<JudgingKernel>,
  limits: SandboxLimits,
): Promise<NotebookGrade> {
  const failed = (problem: string): NotebookGrade => ({
    ...{ student, notebook: name, course: null, points: 0, maxPoints: 0, exercises: [] },
    problems: [problem],
  });
  let submitted: Notebook;
  try {
    submitted = readNotebook(path);
  } catch (error) {
    if (error instanceof NotebookError) return failed(error.message);
    throw error;
  }
  const course = matchCourse(courses, path, submitted);
  if (!course) return failed("No notebook of the course has these exercises.");
  const { judge, points } = await kernelOf(course);
  const cells = compileCells(restoreLocked(submitted, course.notebook));
  const { messages, stopped } = await runSandbox(cells, limits);
  const answers = new Map<string, unknown>();
  const problems: string[] = [];
  for (const message of messages)
    if (message.kind === "answer") answers.set(message.exercise, message.answer);
    else if (message.error) problems.push(`Cell ${message.index + 1}: ${message.error}`);
  if (stopped) problems.push(stopped);
  const exercises: ExerciseGrade[] = [];
  for (const [exercise, maxPoints] of points) {
    const verdict = answers.has(exercise) ? await judge(exercise, answers.get(exercise)) : NO_ANSWER;
    exercises.push({ exercise, ...verdict, points: verdict.passed ? maxPoints : 0, maxPoints });
  }
  const sum = (key: "points" | "maxPoints") => exercises.reduce((total, one) => total + one[key], 0);
  return {
    student,
    notebook: name,
    course: course.path,
    points: sum("points"),
    maxPoints: sum("maxPoints"),
    exercises,
    problems,
  };
}

const NO_ANSWER: Verdict = {
  passed: false,
  findings: [{ title: "Answer", passed: false, message: "There is no answer." }],
};
