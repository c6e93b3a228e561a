import { spawnSync } from "node:child_process";
import { beforeAll, expect, test } from "vitest";
import { sourceFile } from "../../notebook-run/support.ts";
import { errorOf, openSession, type Session, textOf } from "./session.ts";

let session: Session;
beforeAll(async () => {
  session = await openSession();
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
