import { globSync, readFileSync } from "node:fs";
import { rolldown } from "rolldown";
import { expect, test } from "vitest";

const DECLARED =
  /class (\w+) extends \w*Error \{\s*(?:(?:\/\*\* @internal \*\/ )?override name = "(\w+)";)?/g;

test("every class of errors sets its name in words, which no bundler shortens", () => {
  const unnamed = globSync("src/**/*.ts")
    .flatMap(file => [...readFileSync(file, "utf8").matchAll(DECLARED)])
    .filter(([, declared, name]) => declared !== name)
    .map(([, declared]) => declared);
  expect(unnamed).toEqual([]);
});

test("errors keep their names in a minified bundle", async () => {
  const bundle = await rolldown({ input: "src/client/errors/index.ts" });
  const { output } = await bundle.generate({ format: "esm", minify: true });
  const url = `data:text/javascript,${encodeURIComponent(output[0].code)}`;
  const exported: Record<string, unknown> = await import(/* @vite-ignore */ url);
  const classes = Object.entries(exported).filter(([name]) => /^[A-Z]\w*Error$/.test(name));
  expect(classes.length).toBeGreaterThan(10);
  for (const [name, Class] of classes) {
    const error = new (Class as new (...given: unknown[]) => Error)(
      { request: "", submittedAt: new Date(0) },
      {},
    );
    expect(error.name).toBe(name);
  }
});
