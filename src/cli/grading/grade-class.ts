import { createHash } from "node:crypto";
import { appendFileSync, existsSync, readFileSync, rmSync, statSync } from "node:fs";
import { availableParallelism } from "node:os";
import { basename } from "node:path";
import { type Notebook, NotebookError, repeatedExercises } from "../../ipynb/index.ts";
import { readNotebook } from "../ipynb/notebook-file.ts";
import { openCourseKernel, type Verdict } from "./course-kernel.ts";
import { type CourseOutline, matchCourse, outlineOf, pointsOf } from "./course-outline.ts";
import { findCourse, findSubmissions, type SubmittedFile } from "./find-notebooks.ts";
import { readSubmission } from "./reader-process.ts";
import { runSandbox, type SandboxLimits } from "./sandbox-process.ts";

export interface ExerciseGrade extends Verdict {
  readonly exercise: string;
  readonly points: number;
  readonly maxPoints: number;
}

export interface NotebookGrade {
  readonly student: string;
  readonly notebook: string;
  /** The course's notebook; null where none was found. */
  readonly course: string | null;
  readonly points: number;
  readonly maxPoints: number;
  readonly exercises: readonly ExerciseGrade[];
  /** Problems of the submission: cells that failed, and why the notebook was stopped or not graded. */
  readonly problems: readonly string[];
  /** Cells that fail as the course has them, which is not the student's doing. */
  readonly notes: readonly string[];
}

interface GradeOptions {
  readonly limits: SandboxLimits;
  /** Notebooks that are executed at the same time. Default: as many as there are cores. */
  readonly jobs?: number;
  /** Students who may have submitted nothing. Default: those who have a notebook or a folder. */
  readonly students?: readonly string[];
  readonly journal?: Journal;
  /** Receives what is odd about the course or the folder. */
  warn(text: string): void;
}

interface Course {
  readonly path: string;
  readonly notebook: Notebook;
  readonly outline: CourseOutline;
}

/**
 * Executes the notebooks of a class, each in separate processes, and judges their answers by the course's exercises. Returns a
 * grade for each student and each notebook of the course that anyone has submitted.
 */
export async function gradeClass(
  folder: string,
  against: string,
  options: GradeOptions,
): Promise<NotebookGrade[]> {
  const found = findCourse(against);
  const courses = found.paths.map((path): Course => {
    const notebook = readNotebook(path);
    return { path, notebook, outline: outlineOf(path, notebook) };
  });
  if (courses.length === 0) throw new NotebookError(`There is no notebook at ${against}.`);
  const { files, students, cut } = findSubmissions(folder);
  if (files.length === 0) throw new NotebookError(`There are no notebooks in ${folder}.`);
  for (const left of [found.cut, cut, ...[...found.unreadable].map(each => each.join(": "))])
    if (left) options.warn(left);
  const judges = new Map<Course, Promise<Judge>>();
  const judgeOf = (course: Course) => {
    const opened = judges.get(course) ?? openJudge(course, options);
    judges.set(course, opened);
    return opened;
  };
  const keyOf = journalKeys(courses, options.limits);
  const grades: NotebookGrade[] = [];
  const waiting = [...files.entries()];
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [index, file] = next;
      const key = keyOf(file);
      const known = options.journal?.find(key);
      grades[index] = known ?? (await gradeNotebook(file, courses, judgeOf, options.limits));
      if (!known) options.journal?.add(key, grades[index]);
    }
  };
  try {
    await Promise.all(
      Array.from({ length: Math.min(options.jobs ?? availableParallelism(), files.length) }, work),
    );
    const graded = grades.filter(({ course }) => course !== null);
    if (graded.length > 0 && graded.every(({ exercises }) => exercises.length === 0))
      throw new NotebookError(`There is no exercise to grade: ${against} sets none.`);
    const all = new Set([...students, ...(options.students ?? [])]);
    return [...grades, ...(await missingGrades(all, grades, courses, judgeOf))].sort(
      (a, b) => compare(a.student, b.student) || compare(a.notebook, b.notebook),
    );
  } finally {
    for (const opened of judges.values())
      await opened.then(({ kernel }) => kernel.stop()).catch(() => undefined);
  }
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** Makes what names a submission in a journal: as long as it is unchanged, like the course and the limits. */
function journalKeys(courses: readonly Course[], limits: SandboxLimits): (file: SubmittedFile) => string {
  const hash = (value: unknown) => createHash("sha256").update(JSON.stringify(value)).digest("base64");
  const common = hash([courses.map(({ path, notebook }) => [path, notebook.cells]), limits]);
  return ({ path, name }) => {
    const stat = statSync(path, { throwIfNoEntry: false });
    return hash([common, name, stat?.size, stat?.mtimeMs]);
  };
}

type Judge = Awaited<ReturnType<typeof openJudge>>;

async function openJudge({ path, notebook }: Course, { warn }: GradeOptions) {
  const kernel = await openCourseKernel(path, notebook);
  if (kernel.failedCells.length > 0)
    warn(
      `${path}: cell ${kernel.failedCells.join(", ")} of the course fails; exercises that it sets are not graded.`,
    );
  const repeated = repeatedExercises(notebook);
  if (repeated) warn(`${path}: ${repeated}`);
  if (kernel.exercises.length === 0) warn(`${path} sets no exercise.`);
  let before: Promise<unknown> = Promise.resolve();
  return {
    kernel,
    points: pointsOf(notebook, kernel.exercises),
    /** Judges one answer after the other. */
    judge(exercise: string, answer: unknown) {
      const judged = before.then(() => kernel.judge(exercise, answer));
      before = judged.catch(() => undefined);
      return judged;
    },
  };
}

/** Grades a notebook once. Whatever it does, there is a grade, which says so. */
async function gradeNotebook(
  file: SubmittedFile,
  courses: readonly Course[],
  judgeOf: (course: Course) => Promise<Judge>,
  limits: SandboxLimits,
): Promise<NotebookGrade> {
  const outlines = courses.map(({ outline }) => outline);
  const ungraded = async (reason: string) => {
    const named = matchCourse(outlines, file.path);
    const course = courses.find(({ outline }) => outline === named);
    return gradeOf(file, course, course && (await judgeOf(course)), [
      `${file.name} could not be graded: ${reason}`,
    ]);
  };
  if (file.problem !== undefined) return await ungraded(file.problem);
  try {
    const read = await readSubmission(file.path, outlines);
    if (typeof read === "string") return await ungraded(read);
    const course = courses[read.course]!;
    const judge = await judgeOf(course);
    const { messages, stopped } = await runSandbox(read.cells, limits);
    const answers = new Map<string, unknown>();
    const [problems, notes]: [string[], string[]] = [[], []];
    for (const message of messages)
      if (message.kind === "answer") answers.set(message.exercise, message.answer);
      else if (message.kind === "cell" && message.error)
        (read.unchanged.includes(message.index) ? notes : problems).push(
          `Cell ${message.index + 1}: ${message.error}`,
        );
    if (stopped) problems.push(stopped);
    const verdicts = new Map<string, Verdict>();
    for (const exercise of judge.points.keys())
      if (answers.has(exercise)) verdicts.set(exercise, await judge.judge(exercise, answers.get(exercise)));
    return gradeOf(file, course, judge, problems, notes, verdicts);
  } catch (error) {
    // A fault of this computer is not the student's: grading ends, and resumes when it is mended.
    if (error instanceof NotebookError) throw error;
    return await ungraded((error as Error).message);
  }
}

/** Puts a grade together; an exercise without a verdict has no points. */
function gradeOf(
  { student, name }: Pick<SubmittedFile, "student" | "name">,
  course: Course | undefined,
  judge: Judge | undefined,
  problems: readonly string[],
  notes: readonly string[] = [],
  verdicts: ReadonlyMap<string, Verdict> = new Map(),
): NotebookGrade {
  const exercises = [...(judge?.points ?? [])].map(([exercise, maxPoints]): ExerciseGrade => {
    const verdict = verdicts.get(exercise) ?? NO_ANSWER;
    return { exercise, ...verdict, points: verdict.passed ? maxPoints : 0, maxPoints };
  });
  const sum = (key: "points" | "maxPoints") => exercises.reduce((total, one) => total + one[key], 0);
  return {
    ...{ student, notebook: name, course: course?.path ?? null },
    ...{ points: sum("points"), maxPoints: sum("maxPoints"), exercises, problems, notes },
  };
}

/** Grades what students have not submitted, of the notebooks that others have. */
async function missingGrades(
  students: Iterable<string>,
  grades: readonly NotebookGrade[],
  courses: readonly Course[],
  judgeOf: (course: Course) => Promise<Judge>,
): Promise<NotebookGrade[]> {
  const asked = courses.filter(
    ({ path }) => courses.length === 1 || grades.some(({ course }) => course === path),
  );
  const missing: NotebookGrade[] = [];
  for (const student of students)
    for (const course of asked)
      if (!grades.some(grade => grade.student === student && grade.course === course.path))
        missing.push(
          gradeOf({ student, name: basename(course.path) }, course, await judgeOf(course), [
            "Not submitted.",
          ]),
        );
  return missing;
}

const NO_ANSWER: Verdict = {
  passed: false,
  findings: [{ title: "Answer", passed: false, message: "There is no answer." }],
};

type Journal = ReturnType<typeof openJournal>;

/** Opens the journal at a path, with the grades of a run that was interrupted. */
export function openJournal(path: string) {
  const grades = new Map<string, NotebookGrade>();
  for (const line of existsSync(path) ? readFileSync(path, "utf8").split("\n") : [])
    try {
      const [key, grade] = JSON.parse(line);
      grades.set(key, grade);
    } catch {
      // The last line of a run that was interrupted may be incomplete.
    }
  return {
    find: (key: string) => grades.get(key),
    add: (key: string, grade: NotebookGrade) => appendFileSync(path, `\n${JSON.stringify([key, grade])}`),
    /** Removes the file, since all grades are written elsewhere. */
    remove: () => rmSync(path, { force: true }),
  };
}
