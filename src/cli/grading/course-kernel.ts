import { randomUUID } from "node:crypto";
import { dirname, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isJavaScript, type Notebook, NotebookError } from "../../ipynb/index.ts";
import { within } from "../../kernels/index.ts";
import { type Kernel, startKernel } from "../ipynb/kernel.ts";

interface Finding {
  readonly title: string;
  readonly passed: boolean;
  readonly message: string;
}

export interface Verdict {
  readonly passed: boolean;
  readonly findings: readonly Finding[];
}

/** A kernel in which a course's notebook has been executed, which judges answers by its exercises. */
export type CourseKernel = Awaited<ReturnType<typeof openCourseKernel>>;

const CELL_SECONDS = 120;
const ANSWER_SECONDS = 30;

/** Executes the notebook of a course, which is trusted, and keeps its kernel for answers. */
export async function openCourseKernel(path: string, notebook: Notebook) {
  let opened = await execute(path, notebook);
  return {
    exercises: opened.exercises,
    /** Cells that have failed, counted from 1. */
    failedCells: opened.failedCells,
    async judge(exercise: string, answer: unknown): Promise<Verdict> {
      const given = JSON.stringify(JSON.stringify([exercise, answer]));
      const line = await opened.ask(
        JUDGE.replace("GIVEN", () => given),
        ANSWER_SECONDS,
      );
      if (line !== undefined) return line as Verdict;
      await opened.stop();
      opened = await execute(path, notebook);
      const message = `The answer could not be judged within ${ANSWER_SECONDS} s.`;
      return { passed: false, findings: [{ title: "Answer", passed: false, message }] };
    },
    stop: () => opened.stop(),
  };
}

const JUDGE = `await (async () => {
  const [exercise, answer] = JSON.parse(GIVEN);
  try {
    const { check } = await import("ketbook/course");
    const { passed, findings } = (await check(exercise, answer)).toJSON();
    return { passed, findings };
  } catch (error) {
    return { passed: false, findings: [{ title: "Answer", passed: false, message: String(error?.message ?? error) }] };
  }
})()`;
const LIST = `await (async () => {
  await import("ketbook");
  return [...(globalThis[Symbol.for("ketbook.exercises")]?.keys() ?? [])];
})()`;

async function execute(path: string, notebook: Notebook) {
  let written = "";
  const kernel = await startKernel({
    folder: resolve(dirname(path)),
    javascript: isJavaScript(notebook),
    onOutput({ type, content }) {
      if (type === "stream" && content?.name === "stdout") written += String(content.text);
    },
  });
  /** Returns the value of an expression as JSON; undefined if the kernel does not answer in time. */
  const ask = async (expression: string, seconds: number): Promise<unknown> => {
    const token = randomUUID();
    written = "";
    const answered = await statusOf(
      kernel,
      `// @ts-nocheck\nprocess.stdout.write("\\n${token}" + JSON.stringify(${expression}) + "\\n");`,
      seconds,
    );
    if (answered === undefined) return undefined;
    for (let tries = 0; tries < 100 && !written.includes(token); tries++) await sleep(20);
    const line = written.split("\n").find(each => each.startsWith(token));
    return line === undefined ? undefined : JSON.parse(line.slice(token.length));
  };
  try {
    const failedCells: number[] = [];
    const cells = notebook.cells.filter(({ cell_type }) => cell_type === "code");
    for (const [index, { source }] of cells.entries()) {
      const status = source.trim() === "" ? "ok" : await statusOf(kernel, withComments(source), CELL_SECONDS);
      if (status === undefined)
        throw new NotebookError(`${path}: Cell ${index + 1} ran longer than ${CELL_SECONDS} s.`);
      if (status !== "ok") failedCells.push(index + 1);
    }
    const exercises = (await ask(LIST, CELL_SECONDS)) as string[] | undefined;
    if (!exercises) throw new NotebookError(`${path}: The kernel of the course has ended.`);
    return { exercises, failedCells, ask, stop: () => kernel.stop() };
  } catch (error) {
    await kernel.stop();
    throw error;
  }
}

/** Makes comments of nbgrader's markers, which as they are only Python reads. */
const withComments = (source: string) => source.replace(/^([^\S\n]*)(###\s*(?:BEGIN|END)\b)/gm, "$1// $2");

/** Executes a cell, and returns how it ended; undefined where it did not end in time, or the kernel has. */
function statusOf(kernel: Kernel, source: string, seconds: number): Promise<unknown> {
  const status = kernel.execute(source).done.then(reply => reply.status);
  return within(Promise.race([status, kernel.ended.then(() => undefined)]), seconds * 1000);
}
