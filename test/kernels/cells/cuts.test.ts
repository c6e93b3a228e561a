import fc from "fast-check";
import { expect, test } from "vitest";
import { openNotebook } from "./evaluate.ts";

const NAMES = ["a", "b", "c"];
const name = fc.constantFrom(...NAMES);
const value = fc.oneof(
  fc.integer({ min: 0, max: 9 }).map(String),
  name,
  fc.tuple(name, name).map(([x, y]) => `(${x} + ${y}) % 97`),
  name.map(x => `await Promise.resolve(${x})`),
  name.map(x => `(() => ${x})()`),
  name.map(x => `await (async () => { await null; return ${x} })()`),
);
const statement = fc.oneof(
  fc.tuple(name, value).map(([x, v]) => `${x} = ${v};`),
  fc.tuple(name, name).map(([x, y]) => `[${x}, ${y}] = [${y}, ${x}];`),
  fc.tuple(name, value).map(([x, v]) => `{ let ${x} = 1; ${x} += ${v.includes(x) ? "2" : v}; log(${x}); }`),
  fc.tuple(name, name).map(([x, y]) => `readers.push(() => ${x} + ${y});`),
  fc.tuple(name, value).map(([x, v]) => `if (${x} % 2) { ${x} = ${v}; } else { log(${x}); }`),
  fc
    .tuple(name, fc.integer({ min: 1, max: 3 }))
    .map(([x, n]) => `for (let i = 0; i < ${n}; i++) { await null; ${x}++; }`),
  fc.tuple(name, value).map(([x, v]) => `try { if (${v}) throw ${x}; } catch (e) { log(e as number); }`),
  name.map(x => `Promise.resolve().then(() => log(${x}));`),
  name.map(x => `log(${x});`),
  fc.constant("for (const read of readers) log(read());"),
  fc.constant("log(bump());"),
);
const program = fc.array(statement, { minLength: 1, maxLength: 12 });

const PROLOGUE = [
  "let a = 1; var b = 2; let c = 3;",
  "const readers: (() => number)[] = [];",
  "function bump(): number { a += 1; return a + b }",
];
const EPILOGUE = ["for (let turn = 0; turn < 5; turn++) await null;", "log(a); log(b); log(c);"];

test("a program that is cut into cells anywhere does what it does as one module", async () => {
  let serial = 0;
  await fc.assert(
    fc.asyncProperty(program, fc.infiniteStream(fc.boolean()), async (statements, cuts) => {
      const lines = [...PROLOGUE, ...statements, ...EPILOGUE];
      serial += 1;
      const key = `log${serial}`;
      const logs = globalThis as unknown as Record<string, number[]>;
      logs[key] = [];
      const { transformSync } = await import("oxc-transform");
      const whole = `const log = n => globalThis.${key}.push(n);\n${lines.join("\n")}`;
      const { code } = transformSync("module.ts", whole);
      await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(code)}`);
      const expected = logs[key];
      logs[key] = [];
      const notebook = openNotebook();
      await notebook.run(`const log = (n: number) => (globalThis as any).${key}.push(n);`);
      let cell: string[] = [];
      for (const line of lines) {
        cell.push(line);
        // Between two cells, what was scheduled runs, so only a line that waits for it lets the cells be parted.
        if (!cuts.next().value || statements.some(each => each.includes(".then(") && lines.includes(each)))
          continue;
        await notebook.run(cell.join("\n"));
        cell = [];
      }
      await notebook.run(cell.join("\n"));
      expect(logs[key]).toEqual(expected);
    }),
    { numRuns: 200 },
  );
});
