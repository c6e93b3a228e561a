import { expect, test } from "vitest";
import { markupOf, openSession, textOf } from "./session.ts";

const session = await openSession();
const shown = (bundle: string, more = "") =>
  `({ [Symbol.for("Jupyter.display")]: () => (${bundle}), ${more} })`;

test("the last value of a cell is its result, printed as Node prints it; nothing and null show nothing", async () => {
  const values: [string, string | undefined][] = [
    ["1 + 1", "2"],
    ["'text\\nof two lines'", "text\nof two lines"],
    ["({ a: 1, b: { c: [1, 2] } })", "{ a: 1, b: { c: [ 1, 2 ] } }"],
    ["new Map([[1, 'a']])", "Map(1) { 1 => 'a' }"],
    ["undefined", undefined],
    ["null", undefined],
    ["const five = 5", undefined],
    ["0", "0"],
    ["false", "false"],
  ];
  for (const [code, text] of values) expect(textOf(await session.run(code)), code).toBe(text);
  const { messages } = await session.run("7");
  expect(messages.map(({ type }) => type)).toEqual(["execute_input", "execute_result"]);
  expect(messages[1]!.content?.execution_count).toBe(messages[0]!.content?.execution_count);
});

test("a value of any library that shows itself does so, also when its bundle takes a moment", async () => {
  const sync = await session.run(shown('{ "text/html": "<b>rich</b>", "text/plain": "rich" }'));
  expect(sync.outputs).toMatchObject([
    { output_type: "execute_result", data: { "text/html": "<b>rich</b>", "text/plain": "rich" } },
  ]);
  const later = await session.run(shown('Promise.resolve({ "text/plain": "later" })'));
  expect(textOf(later)).toBe("later");
  const broken = await session.run(shown('(() => { throw new Error("no font") })()'));
  expect(textOf(broken)).toBe("This value could not be shown: no font");
});

test("a cell ends when what it shows has become final, and displays it, as a result is never updated", async () => {
  const { outputs, messages } = await session.run(
    `let step = 0;\n${shown('{ "text/plain": "step " + step }', "settled: () => new Promise<void>(done => setTimeout(() => { step = 1; done(); }, 500))")}`,
  );
  expect(messages.map(({ type }) => type)).toEqual(["execute_input", "display_data", "update_display_data"]);
  expect(outputs).toMatchObject([{ data: { "text/plain": "step 1" } }]);
});

test("a promise is awaited and its value shown, with its progress when it takes long, and none left over", async () => {
  expect(textOf(await session.run("Promise.resolve({ a: 1 })"))).toBe("{ a: 1 }");
  const awaited = await session.run(`Promise.resolve(${shown('{ "text/html": "<i>x</i>" }')})`);
  expect(markupOf(awaited)).toBe("<i>x</i>");
  const slow = await session.run("new Promise(done => setTimeout(done, 1200, 42))");
  expect(textOf(slow)).toBe("42");
  const progress = slow.messages.filter(({ type }) => type.endsWith("display_data"));
  expect(progress.length).toBeGreaterThanOrEqual(3);
  expect(progress[0]!.content).toMatchObject({
    data: { "text/plain": expect.stringMatching(/^Waiting … /) },
  });
  expect(progress.at(-1)!.content).toMatchObject({ data: { "text/html": "", "text/plain": "" } });
});

test("what waits to be awaited but shows itself is shown, not awaited", async () => {
  const lazy = shown('{ "text/plain": "prepared" }', "then() { throw new Error('submitted') }");
  expect(textOf(await session.run(lazy))).toBe("prepared");
});

test("arrays and plain objects show what shows itself in them, each in its place", async () => {
  const part = (name: string) => shown(`{ "text/html": "<b>${name}</b>", "text/plain": "${name}" }`);
  const list = await session.run(`[${part("one")}, 2, ${part("three")}]`);
  expect(markupOf(list)).toMatch(/<b>one<\/b>.*<pre[^>]*>2<\/pre>.*<b>three<\/b>/s);
  expect(textOf(list)).toBe("0: one\n1: 2\n2: three");
  const nested = await session.run(
    `({ before: ${part("a")}, deep: { "<i>": ${part("b")} }, n: "<script>" })`,
  );
  expect(markupOf(nested)).toMatch(
    /before.*<b>a<\/b>.*deep.*&lt;i&gt;.*<b>b<\/b>.*&#39;&lt;script&gt;&#39;/s,
  );
  expect(textOf(nested)).toBe("before: a\ndeep: <i>: b\nn: '<script>'");
  const picture = await session.run(
    `[${shown('{ "image/png": "AAAA", "text/plain": "bars" }', '[Symbol.for("ketbook.display.metadata")]: () => ({ "image/png": { width: 300 } })')}]`,
  );
  expect(markupOf(picture)).toContain('<img src="data:image/png;base64,AAAA" alt="bars" width="300">');
  const many = await session.run(`Array.from({ length: 5000 }, () => (${part("p")}))`);
  expect(markupOf(many).match(/<b>p<\/b>/g)).toHaveLength(20);
  expect(textOf(many)).toMatch(/\+ 4900 more$/);
});

test("an array of records of one form is a table, with its text beside; any other array is text alone", async () => {
  const table = await session.run('[{ n: 1, name: "<b>" }, { n: 22, name: "two" }]');
  expect(markupOf(table)).toMatch(/<th[^>]*>n<\/th><th[^>]*>name<\/th>/);
  expect(markupOf(table)).toMatch(/align=right>22<\/td>/);
  expect(markupOf(table)).toContain("&lt;b&gt;");
  expect(textOf(table)).toBe("[ { n: 1, name: '<b>' }, { n: 22, name: 'two' } ]");
  for (const other of ["[{ a: 1 }, { b: 2 }]", "[1, 2]", "[{}]", "[[1], [2]]"])
    expect(markupOf(await session.run(other)), other).toBe("undefined");
  const long = await session.run("Array.from({ length: 5000 }, (_, n) => ({ n, square: n ** 2 }))");
  expect(markupOf(long)).toContain("+ 4,900 more (5,000 rows)");
  const wide = await session.run("[Object.fromEntries(Array.from({ length: 50 }, (_, n) => ['c' + n, n]))]");
  expect(markupOf(wide)).toContain("+ 30 more columns");
  expect(markupOf(wide).match(/<th /g)).toHaveLength(20);
});

test("values that fight back are shown all the same", async () => {
  for (const hostile of [
    "new Proxy({}, { get() { throw new Error('get') }, getPrototypeOf() { throw new Error('proto') } })",
    "[new Proxy({}, { ownKeys() { throw new Error('keys') } })]",
    "({ get a() { throw new Error('getter') } })",
    "({ [Symbol.for('nodejs.util.inspect.custom')]() { throw new Error('inspect') } })",
    "[{ get a() { throw new Error('field') } }]",
  ]) {
    const ran = await session.run(hostile);
    expect(ran.reply.status, hostile).toBe("ok");
    expect(textOf(ran), hostile).toEqual(expect.any(String));
  }
});
