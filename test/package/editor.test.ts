import { createRequire } from "node:module";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

interface Documentation {
  text: string;
}

interface Converter {
  convert(before: string, source: string): { declOutput?: string; diagnostics: unknown[] };
  inspect(before: string, source: string, position: number): { documentation?: Documentation[] } | undefined;
  complete(before: string, source: string, position: number): { candidates: string[] };
  close(): void;
}

const notebooks = join(import.meta.dirname, "../../notebooks");
const modules = { ketbook: "index", "ketbook/client": "client", "ketbook/course": "course" };
const imports = Object.entries(modules).map(([specifier, file]) => ({
  specifier,
  names: Object.keys(createRequire(import.meta.url)(`../../dist/${file}.cjs`)),
}));
const names = imports.flatMap(each => each.names);
let converter: Converter;
let before: string;

beforeAll(() => {
  process.chdir(notebooks);
  converter = createRequire(import.meta.url)("tslab/dist/converter").createConverter() as Converter;
  const lines = imports.map(each => `import { ${each.names.join(", ")} } from "${each.specifier}";`);
  const cell = converter.convert("", `${lines.join("\n")}\n[${names.join(", ")}]`);
  expect(cell.diagnostics).toEqual([]);
  before = cell.declOutput!;
});

afterAll(() => {
  converter.close();
  process.chdir(join(notebooks, ".."));
});

function hoverAt(source: string): string {
  const position = source.indexOf("|");
  const found = converter.inspect(before, source.replace("|", ""), position);
  return (found?.documentation ?? []).map(({ text }) => text).join("");
}

test("hovering over every public name shows a sentence", () => {
  const silent = names.filter(name => !/^[A-Z].*\./s.test(hoverAt(`|${name}`)));
  expect(silent).toEqual([]);
});

test.each([
  "run('').|on('')",
  "run('').|shots(1)",
  "run('').|maxCost(1)",
  "run('').|submit()",
  "devices().|filter(() => true)",
  "devices().|leastBusy()",
  "jobs().|summary()",
  "job('').|result()",
  "qasm.|file('')",
])("hovering inside %s shows a sentence", source => {
  expect(hoverAt(source)).toMatch(/^[A-Z].*[.:]/s);
});

test.each([
  ["run('').", ["on", "shots", "named", "tagged", "options", "in", "maxCost", "submit", "quote"]],
  ["devices().", ["filter", "limit", "first", "leastBusy"]],
  ["jobs().", ["filter", "summary", "delete"]],
  ["devices({ ", ["deviceType", "status", "vendor"]],
  ["devices({ deviceType: ''", ["QPU", "SIMULATOR"]],
])("completing %s offers what there is", (source, expected) => {
  const at = source.endsWith("''") ? source.length - 1 : source.length;
  const { candidates } = converter.complete(before, source, at);
  expect(candidates).toEqual(expect.arrayContaining(expected));
});
