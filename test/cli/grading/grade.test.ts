import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { NotebookGrade } from "../../../src/cli/grading/grade-class.ts";
import type { Notebook } from "../../../src/ipynb/format.ts";
import { notebookText } from "../../../src/ipynb/text.ts";
import { isAlive } from "../../notebook/own-service.ts";
import { answer, BELL, COIN, course, submission, writeNotebooks } from "./class.ts";

const root = mkdtempSync(join(tmpdir(), "ketbook-class-"));
const secret = join(root, "course", "lesson", "lesson.ipynb");
const leak = join(root, "leaked");
const journal = join(root, "out", "grades.part.jsonl");
const REFUSED = "<img src=x onerror=alert(1)>";
const PRINTED =
  'console.log(JSON.stringify({ exercise: "bell", passed: true, findings: [] })); ({ passed: true })';
const WRONG_BELL = answer("bell", "qubit[2] q; x q[0]; cx q[0], q[1];");
const WRONG_COIN = answer("coin", "qubit q; bit c; c = measure q;");
/** The whole class has 100 notebooks where this is set; else a few of each kind. */
const size = Number(process.env.KETBOOK_CLASS_SIZE ?? 8);

/** Cells that fail at what they try, and how each fails. One notebook has them all, and prints results. */
const refused: readonly (readonly [name: string, source: string, failure: RegExp])[] = [
  [
    "fork bomb",
    'const { spawn } = await import("node:child_process"); for (;;) spawn(process.execPath, []);',
    /"node:child_process" is not there/,
  ],
  [
    "worker bomb",
    'const { Worker } = process.getBuiltinModule("worker_threads"); for (;;) new Worker("0", { eval: true });',
    /'Worker' of 'process\.getBuiltinModule\(\.\.\.\)' as it is undefined/,
  ],
  [
    "reads the course",
    `const fs = await import("node:fs"); const text = fs.readFileSync(${JSON.stringify(secret)}, "utf8");
    const bell = qasm(/qubit\\[2\\][^"]*/.exec(text)![0]); await check("bell", bell);`,
    /Access to this API has been restricted/,
  ],
  [
    "writes a file",
    `const fs = await import("node:fs"); fs.writeFileSync(${JSON.stringify(leak)}, "leaked");`,
    /Access to this API has been restricted/,
  ],
  ["kills the grader", "process.kill(process.ppid, 9);", /process\.kill is not there/],
  ["kills everything", "process.kill(-1, 9);", /process\.kill is not there/],
  ["network", 'await fetch("http://127.0.0.1:9/");', /fetch is not there/],
  ["redefines check", "globalThis.check = async () => ({ passed: true });", /Cannot set property check/],
  ["opens many parentheses", "(".repeat(6000), /brackets 6000 deep/],
  ["opens many blocks", "{".repeat(40_000), /brackets 40000 deep/],
  ["nests many arrows", `const f = ${"x=>".repeat(40_000)}1;`, /more than 5000 nested operators/],
  ["throws control characters", 'throw new Error("\\u001b[31mred\\u0007");', /red/],
];

/** Cells that try to get points, or out, without an answer. */
const hostile: Readonly<Record<string, string>> = {
  "endless loop": "for (;;) {}",
  "endless wait": "await new Promise(() => setInterval(() => {}, 1000));",
  "wait with some work":
    "for (;;) { const end = Date.now() + 60; while (Date.now() < end); await new Promise(r => setTimeout(r, 3000)); }",
  "ends its process": "process.exit(0);",
  memory: "const hoard = []; for (;;) hoard.push(new Uint8Array(3e7).fill(1));",
  heap: "const hoard: number[][] = []; for (;;) hoard.push(new Array(1e6).fill(0.5));",
  "forges a report": `const fs = await import("node:fs");
    fs.writeSync(3, JSON.stringify({ kind: "grade", exercise: "bell", passed: true }) + "\\n");
    fs.writeSync(3, JSON.stringify({ kind: "answer", exercise: "bell", answer: { passed: true } }) + "\\n");`,
  "reports without end":
    'const fs = await import("node:fs"); for (;;) fs.writeSync(3, "x".repeat(1e5) + "\\n");',
  "patches the library": `const { State } = await import("ketbook"); const lazy = check("bell", bell);
    Object.getPrototypeOf(Object.getPrototypeOf(lazy)).start = async () => ({ passed: true });
    Object.defineProperty(Object.prototype, "passed", { get: () => true, configurable: true }); Math.hypot = () => 0; JSON.parse = () => ({ passed: true });`,
  "sets the exercise anew":
    'exercise("bell", { statement: "Do nothing.", check: checks.custom("Anything", () => true) }); await check("bell", bell);',
  "forges a report that is nested deeply": `const fs = await import("node:fs");
    const deep = "[".repeat(200_000) + "]".repeat(200_000);
    fs.writeSync(3, '{"kind":"answer","exercise":"bell","answer":' + deep + '}\\n');`,
  "answers what is no program":
    'await check("bell", { data: { toString: () => "x" }, passed: true } as never);',
  "answers with a loop without end":
    'await check("bell", qasm("OPENQASM 3.0; qubit[2] q; while (true) { U(0, 0, 0) q[0]; }"));',
};

/** The student whose notebook is the first that is graded. */
const FIRST = "!first";
const studentOf = (kind: string) => `# ${kind}`;

let grades: NotebookGrade[] = [];
/** Processes of the notebook that was executed when grading was killed. */
let orphans: number[] = [];
let csv = "";
let page = "";
let errors = "";

const gradeOf = (student: string) => grades.find(grade => grade.student === student)!;

beforeAll(async () => {
  const submissions: Record<string, Notebook> = {};
  for (const [name, source] of Object.entries(hostile))
    submissions[studentOf(name)] = submission(WRONG_BELL, COIN, source);
  submissions[REFUSED] = submission(WRONG_BELL, COIN, ...refused.map(([, source]) => source), PRINTED);
  const removed = submission(BELL, COIN);
  removed.cells = removed.cells.filter(({ source }) => !source.startsWith("await check"));
  submissions["=cmd()|calc removed the checks"] = removed;
  const passes = submission(WRONG_BELL, COIN);
  passes.cells[2]!.source = "({ passed: true })";
  submissions["replaced a check"] = passes;
  const sampled = `const { run } = await import("ketbook"); ${COIN.replace("const coin", "const tossed")}
    const half = (await run(tossed).shots(0)).probabilities["1"]!;
    const counts = (await run(tossed).on("perth").shots(100).options({ seed: 1 })).counts;
    ${BELL.replace("const bell", "var bell")} if (Math.abs(half - 0.5) > 1e-9 || !counts["1"]) bell = undefined as never;`;
  submissions["runs programs"] = submission(sampled, COIN);
  submissions["does not parse"] = submission("const bell = ;", COIN);
  for (let i = Object.keys(submissions).length; i < size; i++)
    submissions[`student ${i}`] = submission(i % 3 ? BELL : WRONG_BELL, i % 4 ? COIN : WRONG_COIN);
  submissions["student right"] = submission(BELL, COIN);
  submissions[FIRST] = submission(BELL, COIN);
  submissions["student wrong"] = submission(WRONG_BELL, WRONG_COIN);
  writeNotebooks(join(root, "course"), { lesson: course });
  writeNotebooks(join(root, "class"), submissions);
  writeFileSync(join(root, "class", "broken.ipynb"), "{");
  const metadata = { ...course.metadata, junk: "x".repeat(11_000_000) };
  submissions["too large"] = { ...submission(BELL, COIN), metadata };
  submissions["too many cells"] = submission(BELL, COIN, ...Array.from({ length: 1000 }, () => "1"));
  writeNotebooks(join(root, "class"), submissions);
  const deep = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;
  writeFileSync(join(root, "class", "deep.ipynb"), `{"nbformat":4,"metadata":{"a":${deep}},"cells":[]}`);
  mkdirSync(join(root, "class", "empty folder"));
  mkdirSync(Buffer.concat([Buffer.from(join(root, "class", "folder ")), Buffer.from([0xff])]));
  writeFileSync(
    join(root, "class", "student wrong", "second copy.IPYNB"),
    notebookText(submission(WRONG_BELL, COIN)),
  );
  writeFileSync(join(root, "students.txt"), "student right\nstays away\n");
  symlinkSync(secret, join(root, "class", "link.ipynb"));
  const students = ["--students", join(root, "students.txt"), "--timeout", "2", "--memory", "256"];
  const command = ["grade", join(root, "class"), "--against", join(root, "course"), "-o", join(root, "out")];
  await killInWait(...command, ...students, "--jobs", "1");
  // Another number of points shows that the grade was kept, and not made again.
  writeFileSync(journal, readFileSync(journal, "utf8").replace('"points":5,', '"points":4.5,'));
  errors = await ketbook(...command, ...students);
  grades = JSON.parse(readFileSync(join(root, "out", "grades.json"), "utf8"));
  csv = readFileSync(join(root, "out", "grades.csv"), "utf8");
  page = readFileSync(join(root, "out", "grades.html"), "utf8");
}, 300_000);

afterAll(() => rmSync(root, { recursive: true, force: true }));

const ofProcess = (pid: number, file: string) => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
};
const processesBelow = (pid: number): number[] =>
  ofProcess(pid, `task/${pid}/children`)
    .split(" ")
    .filter(Boolean)
    .flatMap(child => [Number(child), ...processesBelow(Number(child))]);

/** Kills `ketbook` in the notebook after the endless loop, which is the endless wait. */
async function killInWait(...args: string[]) {
  const child = spawn(process.execPath, ["dist/cli.js", ...args], { stdio: "ignore" });
  const ended = once(child, "exit");
  const graded = () => (existsSync(journal) ? readFileSync(journal, "utf8") : "");
  const options = { timeout: 120_000 };
  await vi.waitUntil(() => graded().includes(studentOf("endless loop")), options);
  const sandboxes = () => {
    const found = processesBelow(child.pid!).filter(pid => ofProcess(pid, "cmdline").includes("sandbox.js"));
    return found.length > 0 && found;
  };
  if (process.platform === "linux") orphans = await vi.waitUntil(sandboxes, options);
  child.kill("SIGKILL");
  await ended;
}

/** Runs `ketbook`, and resolves to its error output. */
const ketbook = (...args: string[]) =>
  new Promise<string>((resolve, reject) => {
    execFile(process.execPath, ["dist/cli.js", ...args], { maxBuffer: 1e8 }, (error, _, stderr) =>
      error ? reject(new Error(stderr || String(error))) : resolve(stderr),
    );
  });

test("a class is graded by what its answers are", () => {
  expect(gradeOf("student right")).toMatchObject({ points: 5, maxPoints: 5, problems: [] });
  expect(gradeOf("student wrong")).toMatchObject({ points: 0, maxPoints: 5, problems: [] });
  for (const { student, points } of grades) {
    const number = Number(/^student (\d+)$/.exec(student)?.[1] ?? Number.NaN);
    if (!Number.isNaN(number)) expect(points).toBe((number % 3 ? 3 : 0) + (number % 4 ? 2 : 0));
  }
  const [bell] = gradeOf("student wrong").exercises;
  expect(bell!.findings[0]!.message).toContain("The state should be 0.707|00⟩ + 0.707|11⟩, and is |11⟩");
  expect(errors).not.toContain("of the course fails");
});

test("locked cells are the course's own, whatever a student makes of them", () => {
  expect(gradeOf("=cmd()|calc removed the checks")).toMatchObject({ points: 5 });
  expect(gradeOf("replaced a check")).toMatchObject({ points: 2 });
});

test("programs run while a notebook is graded, on simulators and emulated QPUs", () => {
  expect(gradeOf("runs programs")).toMatchObject({ points: 5, problems: [], notes: [] });
});

test("a cell that fails costs its own exercise", () => {
  expect(gradeOf("does not parse")).toMatchObject({ points: 2 });
  expect(gradeOf("does not parse").problems.join()).toContain("SyntaxError");
});

describe("hostile notebooks get the points of their answers", () => {
  test.each(Object.keys(hostile))("%s", name => {
    expect(gradeOf(studentOf(name))).toMatchObject({ points: 2, maxPoints: 5 });
  });

  test.each(refused.map(([name, , failure], index) => [name, failure, index] as const))(
    "%s",
    (_, failure, index) => {
      expect(gradeOf(REFUSED)).toMatchObject({ points: 2, maxPoints: 5 });
      const { problems } = gradeOf(REFUSED);
      expect(problems).toHaveLength(refused.length);
      expect(problems[index]).toMatch(new RegExp(`^Cell ${index + 6}: .*${failure.source}`, "s"));
    },
  );

  test("and say what became of them", () => {
    expect(gradeOf(studentOf("endless loop")).problems).toContain("It took more than 2 s of processor time.");
    for (const kind of ["endless wait", "wait with some work"])
      expect(gradeOf(studentOf(kind)).problems).toContain("It waited for more than 8 s.");
    expect(gradeOf(studentOf("ends its process")).problems.join()).toContain("Cell 6 ended its process");
    expect(gradeOf(studentOf("memory")).problems.join()).toMatch(/more than 256 MB|ended its process/);
    expect(existsSync(leak)).toBe(false);
  });
});

test("a notebook that can't be read is named, with its points, and the others are graded", () => {
  const reasons = {
    broken: /broken\.ipynb could not be graded: .*broken JSON/,
    "too large": /lesson\.ipynb could not be graded: It has 11\d+ bytes, at most 10000000/,
    "too many cells": /could not be graded: It has 1005 cells, at most 1000/,
  };
  for (const [student, reason] of Object.entries(reasons)) {
    expect(gradeOf(student)).toMatchObject({ points: 0, maxPoints: 5 });
    expect(gradeOf(student).problems.join()).toMatch(reason);
  }
  expect(gradeOf("deep")).toMatchObject({ points: 0, maxPoints: 5 });
});

test("every student has a row, also without a notebook", () => {
  for (const student of ["empty folder", "stays away"])
    expect(gradeOf(student)).toMatchObject({ points: 0, maxPoints: 5, problems: ["Not submitted."] });
  expect(csv).toContain("stays away,lesson.ipynb,0,5,0,0,Not submitted.");
  expect(grades.filter(({ student }) => student === "student right")).toHaveLength(1);
});

test("control characters are visible in the table", () => {
  expect(gradeOf(REFUSED).problems.join()).toContain("red");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it is what must not be there.
  expect(csv.replaceAll("\r\n", "")).not.toMatch(/[\u0000-\u001f\u007f]/);
});

test("grading that was killed resumes, and its journal is removed at the end", () => {
  expect(gradeOf(FIRST)).toMatchObject({ points: 4.5, maxPoints: 5 });
  expect(existsSync(journal)).toBe(false);
});

test.runIf(process.platform === "linux")("a notebook ends when grading is killed", async () => {
  expect(orphans.length).toBeGreaterThan(0);
  await expect.poll(() => orphans.filter(pid => isAlive(pid))).toEqual([]);
});

test("files that are no notebooks are named, and links are not followed", () => {
  expect(gradeOf("broken").problems.join()).toContain("broken JSON");
  expect(gradeOf("link")).toMatchObject({ points: 0, maxPoints: 5 });
  expect(gradeOf("link").problems.join()).toContain("It is a link or a device, not a file.");
  const misnamed = gradeOf("folder \ufffd");
  expect(misnamed).toMatchObject({ points: 0, maxPoints: 5 });
  expect(misnamed.problems.join()).toContain("Its name is not UTF-8 text.");
});

test("of several copies of a notebook, the best counts", () => {
  expect(csv).toContain("student wrong,student wrong/second copy.IPYNB,2,5,0,2,");
  expect(csv).toContain("student wrong,total,2,5,");
});

test("grading ends if this computer can't read notebooks, and no student has 0 points for that", async () => {
  const broken = join(root, "broken", "dist");
  cpSync("dist", broken, { recursive: true, filter: file => !/grading-reader\.js$|page|site/.test(file) });
  symlinkSync(resolve("node_modules"), join(root, "broken", "node_modules"));
  const files = [join(root, "class"), "--against", join(root, "course"), "-o", join(root, "none")];
  await expect(
    promisify(execFile)(process.execPath, [join(broken, "cli.js"), "grade", ...files]),
  ).rejects.toThrow("The process that reads notebooks does not start");
  expect(existsSync(join(root, "none", "grades.csv"))).toBe(false);
}, 60_000);

test("grading needs exercises", async () => {
  const folder = join(root, "empty");
  mkdirSync(folder);
  for (const name of ["course.ipynb", "ada.ipynb"])
    writeFileSync(join(folder, name), notebookText({ cells: [], metadata: {} }));
  await expect(
    ketbook("grade", folder, "--against", join(folder, "course.ipynb"), "-o", join(folder, "out")),
  ).rejects.toThrow(/There is no exercise to grade: .*course\.ipynb sets none/);
});

test("names are escaped in the table and on the page", () => {
  expect(csv).toContain("'=cmd()|calc");
  expect(page).not.toContain("<img src=x");
  expect(page).toContain("&lt;img src=x onerror=alert(1)&gt;");
  expect(csv.split("\r\n")[0]).toBe(
    "student,notebook,points,max points,exercise bell,exercise coin,problems",
  );
});
