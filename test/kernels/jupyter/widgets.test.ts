import { expect, test } from "vitest";
import { errorOf, openSession, type Ran, textOf } from "./session.ts";

const session = await openSession();
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
