import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { readRoster } from "../../src/cli/class.ts";
import { newFolder } from "../folder.ts";
import { ketbook, servingProcess } from "../service/process.ts";
import { bellJob, caller } from "../service/serving.ts";

const folder = newFolder();
let files = 0;

/** Writes a file of CSV, and returns its path. */
function csv(contents: string | Uint8Array, name = `roster${files++}.csv`): string {
  const file = join(folder, name);
  writeFileSync(file, contents);
  return file;
}

test("a class gets keys with credits of their own, is reported without keys, and ends", {
  timeout: 180_000,
}, async () => {
  const data = newFolder();
  await using service = await servingProcess(data);
  const names = Array.from({ length: 200 }, (_, at) => `student${at}`);
  const roster = csv(
    `No,Student,Group\n${names.map((name, at) => `${at},"${name}",A`).join("\n")}\n`,
    "qc.csv",
  );
  const place = ["--data", data];
  const made = await ketbook(
    "class",
    "create",
    "--from",
    roster,
    "--credits",
    "20",
    "--allow",
    "svc:*",
    ...place,
  );
  expect([made.code, made.stderr]).toEqual([
    0,
    expect.stringContaining("200 keys were made for the class qc."),
  ]);
  const [titles, ...lines] = made.stdout.trimEnd().split("\r\n");
  expect(titles).toBe("user,apiKey");
  expect(lines.map(line => line.split(",")[0])).toEqual(names);
  expect(new Set(lines.map(line => line.split(",")[1])).size).toBe(200);
  const keyOf = (at: number) => lines[at]!.split(",")[1]!;
  const [ada, ben] = [caller(service.url, keyOf(0)), caller(service.url, keyOf(1))];
  await ada.ended((await ada.submit()).jobQrn);
  expect((await ada.call("POST", "/jobs", bellJob({ deviceQrn: "ionq:emulated:qpu:forte" }))).status).toBe(
    403,
  );
  expect((await ben.call("GET", "/billing/credits/balance")).body.data).toMatchObject({
    svcCredits: 20,
    budget: { ownCredits: true, maxStoredBytes: 50_000_000, waitingJobs: 0, maxWaitingJobs: 50 },
  });

  const page = readFileSync("docs/guide/class.md", "utf8");
  const exported = /^export (.*)$/m
    .exec(page)![1]!
    .split(" ")
    .map(each => each.split("="));
  const typed = [...page.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, cell]) => cell).join("\n");
  const library = JSON.stringify(pathToFileURL(resolve("dist/index.js")).href);
  const first = await promisify(execFile)(
    process.execPath,
    ["--input-type=module", "-e", `${typed.replace('"ketbook"', library)}; process.stdout.write("ran");`],
    { env: { ...Object.fromEntries(exported), KETBOOK_URL: service.url, KETBOOK_API_KEY: keyOf(1) } },
  );
  expect(first.stdout, "what the page lets a student type first").toContain("ran");

  const late = csv(`${names.join("\n")}\nlate\n`, "qc.csv");
  const again = await ketbook("class", "create", "--from", late, ...place);
  expect(again.stdout).toMatch(/^user,apiKey\r\nlate,kb_[0-9a-f]{48}\r\n$/);
  expect(again.stderr).toContain("1 key was made for the class qc. 200 students had one already.");

  const grades = csv(
    'student,notebook,points,max points,problems\nstudent0,a.ipynb,2,3,"a, b"\nstudent0,b.ipynb,1,1,\nstudent0,total,3,4,\nnobody,a.ipynb,1,3,\n',
  );
  const report = await ketbook("class", "report", "qc", "--grades", grades, "--json", ...place);
  const rows = JSON.parse(report.stdout);
  expect(rows).toHaveLength(201);
  expect(rows.find(({ user }: { user: string }) => user === "student0")).toMatchObject({
    ...{ jobs: 1, completed: 1, failed: 0, unfinished: 0, creditsSpent: 0.375, creditsLeft: 19.625 },
    ...{ points: 3, maxPoints: 4 },
  });
  expect(report.stdout).not.toContain("kb_");
  expect(report.stderr).toContain("Graded, but not in the class: nobody");

  const ended = await ketbook("class", "end", "qc", ...place);
  expect(ended.stdout).toContain("201 keys of qc are revoked. Jobs and results stay");
  expect((await ada.call("GET", "/jobs")).status).toBe(401);
  expect((await caller(service.url, service.apiKey).call("GET", "/jobs")).status).toBe(200);
  for (const args of [
    ["end", "local"],
    ["create", "--from", late, "--name", "local"],
    ["report", "none"],
  ]) {
    const { code, stderr } = await ketbook("class", ...args, ...place);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/service's own organization|no class none.*local, qc/),
    ]);
  }
  expect((await ketbook("check", ...place)).code).toBe(0);
});

describe("a roster", () => {
  const names = (contents: string | Uint8Array) => readRoster(csv(contents));

  test.each([
    ["a name per line", "ada\nben\n", ["ada", "ben"]],
    ["no end of line, blank lines and a byte order mark", "\ufeffada\r\n\r\nben", ["ada", "ben"]],
    [
      "titles, quotes and line breaks",
      'Group,Name\n"A, ""1"" \n x",ada lovelace\nB,"ben"\n',
      ["ada lovelace", "ben"],
    ],
    [
      "semicolons",
      "email;group\nada@uni.example;1\nben@uni.example;2\n",
      ["ada@uni.example", "ben@uni.example"],
    ],
    ["names of other scripts", "Žofie\n李\n", ["Žofie", "李"]],
  ])("of %s is read", (_, contents, expected) => {
    expect(names(contents)).toEqual(expected);
  });

  test("of 10,000 students is read, and one of more is refused", () => {
    const many = Array.from({ length: 10_000 }, (_, at) => `student ${at}`);
    expect(names(many.join("\n"))).toHaveLength(10_000);
    expect(() => names([...many, "one more"].join("\n"))).toThrow("it has 10001 students, at most 10000");
  });

  test.each([
    ["control characters", "ada\nb\u0007en\n", /line 2: "b␇?.*en" has invisible characters/],
    ["characters that turn text around", "ada\u202e\n", /line 1: .* has invisible characters/],
    ["a formula", 'user\n"=HYPERLINK(""x"")"\n', /line 2: .* begins as a formula/],
    ["a number with a sign", "+1\n", /line 1: .* begins as a formula/],
    [
      "duplicates",
      "Ada\nben\nada\nＡDA\n",
      /line 3: "ada" is on line 1 already\nline 4: .* is on line 3 already/,
    ],
    ["an empty name", "id,name\n1,ada\n2,\n", /line 3: "" is empty/],
    ["a long name", "x".repeat(101), /has more than 100 characters/],
    ["a stray quotation mark", 'ada\nb"en\n', /Line 2 of .* has a stray quotation mark/],
    ["another encoding", new Uint8Array([0xff, 0xfe, 0x61, 0]), /is not UTF-8 text/],
    ["titles alone", "user\n", /it has no students/],
    ["columns of other titles", "Nom,Groupe\nada,1\n", /line 1 names none of the columns user, .*email/],
  ])("with %s is refused whole, by lines", (_, contents, message) => {
    expect(() => names(contents)).toThrow(message);
  });

  test("that cannot be read is named, and no folder is blamed", () => {
    expect(() => readRoster(folder)).toThrow(`${folder} cannot be read: EISDIR`);
    expect(() => readRoster(join(folder, "none.csv"))).toThrow("none.csv cannot be read: ENOENT");
  });

  test("with many mistakes lists some, and no escape sequences", () => {
    const bad = Array.from({ length: 500 }, (_, at) => `\u001b[31m${at}`).join("\n");
    expect(() => names(bad)).toThrow(/line 10: .*\nand 490 more$/);
  });
});
