import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { sourceFile } from "../../notebook-run/support.ts";
import { errorOf, markupOf, openSession, type Ran, textOf } from "./session.ts";

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

const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

test("each form is displayed as its MIME type, with a text beside it", async () => {
  const { outputs } =
    await session.run(`display.html("<b>bold</b>"); display.markdown("# head"); display.latex("$x$");
display.svg("<svg/>"); display.json({ a: [1] }); display.png("${PNG}"); display.png(Buffer.from("${PNG}", "base64"));
display.raw("application/x-own", { b: 2 });`);
  const data = outputs.map(output => (output.output_type === "display_data" ? output.data : output));
  expect(data).toMatchObject([
    { "text/html": "<b>bold</b>", "text/plain": "bold" },
    { "text/markdown": "# head", "text/plain": "# head" },
    { "text/latex": "$x$" },
    { "image/svg+xml": "<svg/>" },
    { "application/json": { a: [1] } },
    { "image/png": PNG, "text/plain": "PNG, 70 bytes" },
    { "image/png": PNG },
    { "application/x-own": { b: 2 } },
  ]);
});

test("a handle replaces its output in place, in later cells too, and removes it", async () => {
  const { messages, outputs } = await session.run(
    "const bar = display.html('<i>0</i>'); for (let i = 1; i < 4; i += 1) bar.update('<i>' + i + '</i>');",
  );
  const types = messages.map(({ type }) => type).filter(type => type.includes("display"));
  expect(types).toEqual(["display_data", ...Array(3).fill("update_display_data")]);
  expect(new Set(messages.slice(1).map(({ content }) => JSON.stringify(content?.transient))).size).toBe(1);
  await session.run("bar.update('<i>later</i>')");
  expect(outputs).toMatchObject([{ data: { "text/html": "<i>later</i>" } }]);
  await session.run("bar.clear()");
  expect(outputs).toMatchObject([{ data: { "text/html": "" } }]);
});

test("a picture, an element and a value with toHtml() are shown as the last value and by console.log, also in arrays", async () => {
  const { outputs } = await session.run(`const picture = Buffer.from("${PNG}", "base64");
console.log("a", picture, { outerHTML: "<svg id='s'></svg>" });
picture`);
  expect(outputs).toMatchObject([
    { output_type: "stream", text: "a\n" },
    { output_type: "display_data", data: { "image/png": PNG } },
    { output_type: "display_data", data: { "image/svg+xml": "<svg id='s'></svg>" } },
    { output_type: "execute_result", data: { "image/png": PNG } },
  ]);
  const nested = await session.run("[picture, { toHtml: () => '<u>under</u>' }]");
  const [result] = nested.outputs;
  expect(result?.output_type === "execute_result" && result.data["text/html"]).toMatch(
    /<img src="data:image\/png.*<u>under/s,
  );
  expect(textOf(await session.run("Buffer.from('plain bytes')"))).toMatch(/^<Buffer 70 6c/);
  expect(textOf(await session.run("({ toHtml: () => 5 })"))).toBe("{ toHtml: [Function: toHtml] }");
});

test("a value that is displayed while another still settles in its place is not replaced by that one", async () => {
  const { outputs } = await session.run(
    "const slow = display(new Promise(done => setTimeout(done, 60, 'slow'))); slow.update('fast'); await new Promise(done => setTimeout(done, 120));",
  );
  expect(outputs).toMatchObject([{ data: { "text/plain": "fast" } }]);
  const failed = await session.run("display(Promise.reject(new Error('no')))");
  expect(failed.outputs).toMatchObject([{ data: { "text/plain": "This promise was rejected: no" } }]);
});

test("display has types, is one with that of the library and of tslab, and can be redeclared", async () => {
  expect(errorOf(await session.run("display.nope()")).evalue).toContain(
    "'nope' does not exist on type 'Display'",
  );
  expect(errorOf(await session.run('import { display as t } from "tslab"; t.html(5)')).evalue).toContain(
    "TS2345",
  );
  expect(textOf(await session.run('require("tslab").display === display'))).toBe("true");
  expect(textOf(await session.run("const display = 5; display + 1"))).toBe("6");
});

test("outside of a notebook, the text of what is displayed is printed", () => {
  const program = `const { display } = await import("file://" + ${sourceFile("kernels/values/display.ts")});
const h = display({ a: 1 }); h.update([2]); h.clear(); display.html("<p>one &lt; two</p>"); display.clear();`;
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
    encoding: "utf8",
  });
  expect([stdout, stderr]).toEqual(["{ a: 1 }\n[ 2 ]\none < two\n", ""]);
});

test("!command runs in a shell, and its failure is the cell's", async () => {
  expect((await session.run("!echo one && echo two")).outputs).toMatchObject([{ text: "one\ntwo\n" }]);
  expect(errorOf(await session.run("!exit 3")).evalue).toBe("exit 3 ended with exit code 3");
  expect(textOf(await session.run("!false"))).toBe("true");
});

test("%%html and %%markdown show what they hold", async () => {
  expect(markupOf(await session.run("%%html\n<b>bold</b>"))).toBe("<b>bold</b>");
  expect((await session.run("%%markdown\n# Title")).outputs).toMatchObject([
    { data: { "text/markdown": "# Title" } },
  ]);
});

test("%time runs a program and says how long it took, and %who which names there are", async () => {
  await session.run("const known = 1;");
  expect((await session.run("%time console.log(known)")).outputs).toMatchObject([
    { text: expect.stringMatching(/^1\nTime: \d+\.\d ms\n$/) },
  ]);
  expect((await session.run("%who")).outputs).toMatchObject([{ text: expect.stringMatching(/\bknown\b/) }]);
});

test("an unknown one says which there are", async () => {
  expect(errorOf(await session.run("%%bash\nls")).evalue).toMatch(/Unknown magic %%bash.*%%html/);
});

test("a shell command that fails shows how it ended, and nothing of the program that ran it", async () => {
  expect(errorOf(await session.run("!exit 3")).traceback).toBe("Error: exit 3 ended with exit code 3");
});

test("what follows the dot of an unknown name is completed by no name of another cell", async () => {
  await session.run("const declaredBefore = 1;");
  const namesAt = async (code: string) =>
    (await session.ask("complete_request", { code, cursor_pos: code.length })).matches;
  expect(await namesAt("unknownVar.")).toEqual([]);
  expect(await namesAt("[...declaredB")).toEqual(["declaredBefore"]);
});

const VIEW = "application/vnd.jupyter.widget-view+json";

type State = Record<string, unknown>;
interface Opened {
  comm_id: string;
  target_name: string;
  data: { state: State };
}

/** The models that a cell has opened, by their names. */
function modelsOf({ messages }: Ran): Map<unknown, Opened> {
  const opened = messages
    .filter(({ type }) => type === "comm_open")
    .map(({ content }) => content as unknown as Opened);
  return new Map(opened.map(each => [each.data.state._model_name, each]));
}

/** Sends a message to a comm, and resolves with what is published for it, when the kernel is idle again. */
async function tell(comm_id: string, data: object) {
  const before = session.published.length;
  void session.ask("comm_msg", { comm_id, data });
  // A request on the same channel is answered after it.
  await session.ask("kernel_info_request", {});
  await session.run("0");
  return session.published.slice(before).map(({ type, content }) => ({ type, content }));
}

test("a slider is a model of ipywidgets, follows the front end, and is set by cells", async () => {
  const ran = await session.run(
    "const seen: number[] = [];\nconst speed = widgets.slider({ min: 1, max: 9, value: 3, label: 'speed' });\nspeed.on(value => { seen.push(value); console.log('now', value); });\nspeed",
  );
  const { comm_id, target_name, data } = modelsOf(ran).get("IntSliderModel")!;
  expect(target_name).toBe("jupyter.widget");
  expect(data.state).toMatchObject({
    _model_module: "@jupyter-widgets/controls",
    _view_name: "IntSliderView",
    min: 1,
    max: 9,
    value: 3,
    description: "speed",
    // Without it, the front end of ipywidgets throws.
    _dom_classes: [],
    layout: `IPY_MODEL_${modelsOf(ran).get("LayoutModel")!.comm_id}`,
    style: `IPY_MODEL_${modelsOf(ran).get("SliderStyleModel")!.comm_id}`,
  });
  expect(modelsOf(ran).get("SliderStyleModel")!.data.state).toMatchObject({
    _model_module: "@jupyter-widgets/controls",
    _view_module: "@jupyter-widgets/base",
    _view_name: "StyleView",
  });
  const result = ran.outputs.find(({ output_type }) => output_type === "execute_result");
  expect(result).toMatchObject({ data: { [VIEW]: { model_id: comm_id }, "text/plain": "speed: 3" } });
  expect(await session.ask("comm_info_request", { target_name: "jupyter.widget" })).toMatchObject({
    comms: { [comm_id]: { target_name: "jupyter.widget" } },
  });
  expect(await tell(comm_id, { method: "update", state: { value: 7 } })).toContainEqual({
    type: "stream",
    content: { name: "stdout", text: "now 7\n" },
  });
  expect(textOf(await session.run("[speed.value, seen]"))).toBe("[ 7, [ 7 ] ]");
  const { messages } = await session.run("speed.value = 2;");
  expect(messages.find(({ type }) => type === "comm_msg")?.content).toMatchObject({
    comm_id,
    data: { method: "update", state: { value: 2 } },
  });
});

test("a button calls cells, an output shows values and text, and a failing listener says so", async () => {
  const ran = await session.run(
    "const out = widgets.output();\nlet clicks = 0;\nconst go = widgets.button('Go', () => { clicks += 1; out.write('click ' + clicks); if (clicks > 1) throw new Error('enough'); });",
  );
  const { comm_id } = modelsOf(ran).get("ButtonModel")!;
  const output = modelsOf(ran).get("OutputModel")!.comm_id;
  expect(await tell(comm_id, { method: "custom", content: { event: "click" } })).toContainEqual({
    type: "comm_msg",
    content: {
      comm_id: output,
      data: {
        method: "update",
        state: { outputs: [{ output_type: "stream", name: "stdout", text: "click 1" }] },
        buffer_paths: [],
      },
    },
  });
  const said = await tell(comm_id, { method: "custom", content: { event: "click" } });
  expect(said.find(({ type }) => type === "stream")?.content?.text).toContain("enough");
  expect(textOf(await session.run("clicks"))).toBe("2");
});

test("a widget by a module shares its state with cells, and gives it to whoever asks", async () => {
  const ran = await session.run(
    "const counter = widgets.esm('export default { render() {} }', { count: 1 });\ncounter.on(({ count }) => console.log(count + 1));\ncounter",
  );
  const { comm_id, data } = modelsOf(ran).get("AnyModel")!;
  expect(data.state).toMatchObject({
    _model_module: "anywidget",
    // Front ends refuse a range that the version they have is not in.
    _model_module_version: "*",
    _esm: "export default { render() {} }",
    count: 1,
  });
  await tell(comm_id, { method: "update", state: { count: 5 } });
  expect(textOf(await session.run("counter.get('count')"))).toBe("5");
  const answered = await tell(comm_id, { method: "request_state" });
  expect(answered.find(({ type }) => type === "comm_msg")?.content).toMatchObject({
    data: { state: { count: 5 } },
  });
});

test("cells take comms that the front end opens, and close them", async () => {
  await session.run(
    "comms.register('echo', (comm, data) => { comm.send({ hello: data.name }); comm.on(said => comm.send(said)); });",
  );
  void session.ask("comm_open", { comm_id: "own", target_name: "echo", data: { name: "Ada" } });
  const echoed = await tell("own", { again: true });
  const sent = session.published.filter(({ type }) => type === "comm_msg").map(({ content }) => content);
  expect(sent).toContainEqual({ comm_id: "own", data: { hello: "Ada" } });
  expect(echoed).toContainEqual({ type: "comm_msg", content: { comm_id: "own", data: { again: true } } });
});

test("comms and widgets have types and descriptions, and complete", async () => {
  expect(errorOf(await session.run("widgets.slide();")).evalue).toContain("'slide' does not exist on type");
  expect(errorOf(await session.run("widgets.slider({ min: 'low' });")).evalue).toContain("TS2322");
  expect(errorOf(await session.run("comms.open(5);")).evalue).toContain("TS2345");
  expect(
    errorOf(await session.run("const typed = widgets.esm('', { n: 1 });\ntyped.set({ n: '2' });")).evalue,
  ).toContain("TS2322");
  const completed = await session.ask("complete_request", { code: "widgets.", cursor_pos: 8 });
  expect(completed.matches).toEqual(["button", "esm", "output", "slider"]);
  expect((await session.ask("complete_request", { code: "comm", cursor_pos: 4 })).matches).toEqual(["comms"]);
  const described = await session.ask("inspect_request", { code: "widgets.slider", cursor_pos: 10 });
  expect((described.data as Record<string, string>)["text/markdown"]).toContain(
    "Makes a slider from `min` (0)",
  );
});

test("a cell can have its own comms and widgets, and libraries keep the kernel's", async () => {
  expect(textOf(await session.run("const widgets = ['own'], comms = 3;\n[...widgets, comms]"))).toBe(
    "[ 'own', 3 ]",
  );
  expect(textOf(await session.run("widgets.push('more');\nwidgets.length + comms"))).toBe("5");
  expect(
    textOf(
      await session.run("function kinds() { return Object.keys((globalThis as any).widgets); }\nkinds()"),
    ),
  ).toBe("[ 'slider', 'button', 'output', 'esm' ]");
});
