// Changes lines of src one at a time, in a copy of the project, and says which of the changes the tests notice:
//   node tools/mutate.ts [--count 20] [--seed 1] [--under src/notebook] [--list]
// The same seed picks the same lines of the same sources, so a suite can be compared with what it was before.
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { parseSync } from "oxc-parser";

interface Mutation {
  file: string;
  line: number;
  start: number;
  end: number;
  text: string;
}

const opposites = new Map([
  ...["=== !==", "< >=", "> <=", "+ -", "* /", "&& ||"].flatMap(pair => {
    const [one, other] = pair.split(" ") as [string, string];
    return [[one, other] as const, [other, one] as const];
  }),
]);

interface Part {
  type: string;
  start: number;
  end: number;
}
/** Members of the parts that are changed. */
interface Parts {
  value: unknown;
  operator: string;
  left: Part;
  right: Part;
  test: Part;
  consequent: Part;
  expression: Part;
}

/** Returns the text of a part with another meaning, or nothing where there is none. */
function changed(node: Part & Parts, source: string): string | undefined {
  const textOf = ({ start, end }: Part) => source.slice(start, end);
  switch (node.type) {
    case "BinaryExpression":
    case "LogicalExpression": {
      const operator = opposites.get(node.operator);
      const gap = source.slice(node.left.end, node.right.start);
      return operator && textOf(node.left) + gap.replace(node.operator, operator) + textOf(node.right);
    }
    case "Literal":
      if (typeof node.value === "boolean") return String(!node.value);
      return typeof node.value === "number" ? String(node.value + 1) : undefined;
    case "IfStatement":
      return `if (!(${textOf(node.test)})) ${source.slice(node.consequent.start, node.end)}`;
    case "ConditionalExpression":
      return `!(${textOf(node.test)})${source.slice(node.test.end, node.end)}`;
    case "ExpressionStatement":
      return ["CallExpression", "AssignmentExpression"].includes(node.expression.type) ? ";" : undefined;
    default:
      return undefined;
  }
}

/** Finds every change that one file allows; types are not looked into. */
function mutationsOf(file: string): Mutation[] {
  const source = readFileSync(file, "utf8");
  const found: Mutation[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    const { type = "", start, end } = node as Partial<Part>;
    if (type.startsWith("TS") && type !== "TSNonNullExpression" && type !== "TSAsExpression") return;
    const text = changed(node as Part & Parts, source);
    if (text !== undefined)
      found.push({ file, line: source.slice(0, start).split("\n").length, start: start!, end: end!, text });
    Object.values(node).forEach(visit);
  };
  visit(parseSync(file, source).program);
  return found;
}

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "20" },
    seed: { type: "string", default: "1" },
    under: { type: "string", default: "src" },
    list: { type: "boolean", default: false },
  },
});
const root = fileURLToPath(new URL("..", import.meta.url));
process.chdir(root);
const files = execFileSync("git", ["ls-files", values.under], { encoding: "utf8" }).split("\n");
const all = files.filter(file => file.endsWith(".ts") && !file.includes("generated")).flatMap(mutationsOf);
const chosen = Array.from({ length: Number(values.count) }, (_, index) => {
  const hash = createHash("sha256").update(`${values.seed} ${index}`).digest();
  return all[hash.readUInt32BE() % all.length]!;
});

const print = (line: string) => process.stdout.write(`${line}\n`);

const shown = ({ file, start, end, text }: Mutation) => {
  const short = (code: string) => code.replace(/\s+/g, " ").slice(0, 60);
  return `${short(readFileSync(file, "utf8").slice(start, end))}  →  ${short(text)}`;
};
if (values.list) {
  for (const each of chosen) print(`${each.file}:${each.line}  ${shown(each)}`);
  process.exit();
}

const copy = mkdtempSync(join(tmpdir(), "ketbook-mutate-"));
execFileSync("git", ["worktree", "add", "--detach", "--quiet", copy, "HEAD"]);
for (const modules of ["node_modules", "test/service/generators/node_modules"])
  symlinkSync(join(root, modules), join(copy, modules));
const run = (command: string, given: readonly string[]) =>
  spawnSync(join(root, "node_modules/.bin", command), given, {
    cwd: copy,
    encoding: "utf8",
    env: { ...process.env, KETBOOK_BUILT: "1", NO_COLOR: "1" },
    timeout: 1_500_000,
  });

/** Returns what noticed the change of a file: the compiler, the build or the first test that fails. */
function noticedBy(file: string): string | undefined {
  if (run("node", ["node_modules/typescript/bin/tsc"]).status !== 0) return "the types";
  if (run("node", ["tools/build.ts"]).status !== 0) return "the build";
  for (const projects of [
    ["pure", "thorough"],
    ["library", "isolated"],
  ]) {
    const chosenProjects = projects.flatMap(project => ["--project", project]);
    const { status, stderr } = run("vitest", [
      "related",
      file,
      "--run",
      "--passWithNoTests",
      "--bail=1",
      ...chosenProjects,
    ]);
    if (status !== 0) return /FAIL\s+(.*)/.exec(stderr)?.[1] ?? `the ${projects.join(" and ")} tests`;
  }
  return undefined;
}

let survivors = 0;
try {
  for (const mutation of chosen) {
    const { file, line, start, end, text } = mutation;
    const place = join(copy, file);
    const source = readFileSync(place, "utf8");
    writeFileSync(place, source.slice(0, start) + text + source.slice(end));
    const noticed = noticedBy(file);
    writeFileSync(place, source);
    if (noticed === undefined) survivors++;
    print(`${noticed === undefined ? "survived" : "noticed "}  ${file}:${line}  ${shown(mutation)}`);
    if (noticed !== undefined) print(`          by ${noticed}`);
  }
} finally {
  execFileSync("git", ["worktree", "remove", "--force", copy]);
  rmSync(copy, { recursive: true, force: true });
}
print(`${chosen.length - survivors} of ${chosen.length} changes were noticed.`);
