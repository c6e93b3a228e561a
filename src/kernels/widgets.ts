import { inspect } from "#host";
import { type Displayable, jupyterDisplay } from "../display/index.ts";
import { bundleFrom } from "./bundle.ts";
import { plainBundle } from "./values/plain-value.ts";
import { richForm } from "./values/rich-form.ts";

export interface Comm {
  readonly id: string;
  send(data: object): void;
  on(hear: (data: Record<string, unknown>) => void): void;
  close(): void;
}

type Comms = ReturnType<typeof openComms>["comms"];
type Hear = (data: Record<string, unknown>) => void;

export function openComms(publish: (type: string, content: object, metadata?: object) => void) {
  const heard = new Map<string, Hear>();
  const targets = new Map<string, (comm: Comm, data: Record<string, unknown>) => void>();

  function commOf(id: string): Comm {
    heard.set(id, () => undefined);
    return {
      id,
      send: data => publish("comm_msg", { comm_id: id, data }),
      on: hear => void heard.set(id, hear),
      close() {
        if (heard.delete(id)) publish("comm_close", { comm_id: id, data: {} });
      },
    };
  }

  return {
    comms: {
      open(target: string, data: object = {}, metadata: object = {}) {
        const comm = commOf(crypto.randomUUID());
        publish("comm_open", { comm_id: comm.id, target_name: target, data }, metadata);
        return comm;
      },
      register: (target: string, opened: (comm: Comm, data: Record<string, unknown>) => void) =>
        void targets.set(target, opened),
    },
    take(type: string, content: Record<string, unknown>) {
      const id = String(content.comm_id);
      const data = Object(content.data) as Record<string, unknown>;
      const opened = targets.get(String(content.target_name));
      if (type === "comm_msg") heard.get(id)?.(data);
      else if (type === "comm_close") heard.delete(id);
      else if (opened) opened(commOf(id), data);
      else publish("comm_close", { comm_id: id, data: {} });
    },
  };
}

type State = Record<string, unknown>;

interface SliderOptions {
  min?: number;
  max?: number;
  step?: number;
  value?: number;
  label?: string;
}

/** Version of the messages between widgets and their front ends. */
const PROTOCOL = { version: "2.1.0" };
const VIEW = "application/vnd.jupyter.widget-view+json";
const CONTROLS = { package: "@jupyter-widgets/controls", version: "2.0.0" };
const BASE = { package: "@jupyter-widgets/base", version: "2.0.0" };
const OUTPUT = { package: "@jupyter-widgets/output", version: "1.0.0" };
/** Whatever version of anywidget the front end has: all of them read the same state. */
const ANYWIDGET = { package: "anywidget", version: "*" };

/** Opens the widgets of a kernel: models of ipywidgets, which front ends show where they have its extension. */
export function openWidgets(comms: Comms) {
  /** Makes a model: its state on both sides, and who hears when the front end changes it. */
  function open(of: { package: string; version: string }, name: string, given: State, view = `${name}View`) {
    const state: State = {
      _model_module: of.package,
      _model_module_version: of.version,
      _model_name: `${name}Model`,
      _view_module: of.package,
      _view_module_version: of.version,
      _view_name: view,
      ...given,
    };
    const changed = new Set<(state: State) => void>();
    const sent = new Set<(content: unknown) => void>();
    const comm: Comm = comms.open("jupyter.widget", { state, buffer_paths: [] }, PROTOCOL);
    const update = (part: State) => {
      Object.assign(state, part);
      comm.send({ method: "update", state: part, buffer_paths: [] });
    };
    comm.on(({ method, state: part, content }) => {
      if (method === "request_state") comm.send({ method: "update", state, buffer_paths: [] });
      if (method === "custom") for (const hear of sent) hear(content);
      if (method !== "update") return;
      Object.assign(state, part);
      for (const hear of changed) hear(state);
    });
    const send = (content: unknown) => comm.send({ method: "custom", content });
    const reference = `IPY_MODEL_${comm.id}`;
    return { id: comm.id, reference, state, update, send, changed, sent, close: comm.close };
  }

  const shown = () => ({ layout: open(BASE, "Layout", {}).reference, _dom_classes: [] });
  const styleOf = (name: string) => {
    const view = { _view_module: BASE.package, _view_module_version: BASE.version };
    return open(CONTROLS, name, view, "StyleView").reference;
  };
  const displayOf = (id: string, text: () => string): Displayable => ({
    [jupyterDisplay]: () => ({
      [VIEW]: { version_major: 2, version_minor: 0, model_id: id },
      "text/plain": text(),
    }),
  });

  return {
    slider({ min = 0, max = 100, step = 1, value, label = "" }: SliderOptions = {}) {
      const kind = [min, max, step, value ?? min].every(Number.isInteger) ? "Int" : "Float";
      const style = styleOf("SliderStyle");
      const given = { min, max, step, value: value ?? min, description: label, ...shown(), style };
      const model = open(CONTROLS, `${kind}Slider`, { ...given, continuous_update: true, readout: true });
      const slider = {
        get value() {
          return Number(model.state.value);
        },
        set value(value: number) {
          model.update({ value });
        },
        on: (hear: (value: number) => void) => void model.changed.add(({ value }) => hear(Number(value))),
        close: model.close,
      };
      return Object.assign(
        slider,
        displayOf(model.id, () => `${label || "slider"}: ${slider.value}`),
      );
    },
    button(label: string, clicked?: () => void) {
      const given = { description: label, ...shown(), style: styleOf("ButtonStyle") };
      const model = open(CONTROLS, "Button", given);
      const on = (hear: () => void) =>
        void model.sent.add(content => Object(content).event === "click" && hear());
      if (clicked) on(clicked);
      return Object.assign(
        displayOf(model.id, () => `[${label}]`),
        { on, close: model.close },
      );
    },
    output() {
      const model = open(OUTPUT, "Output", { msg_id: "", outputs: [], ...shown() });
      const add = (output: object) =>
        model.update({ outputs: [...(model.state.outputs as object[]), output] });
      return Object.assign(
        displayOf(model.id, () => "output"),
        {
          write: (text: string) => add({ output_type: "stream", name: "stdout", text }),
          async show(value: unknown) {
            const form = richForm(value);
            const data = form ? await bundleFrom(form) : plainBundle(value);
            add({ output_type: "display_data", data, metadata: {} });
          },
          clear: () => model.update({ outputs: [] }),
          close: model.close,
        },
      );
    },
    esm<T extends State>(module: string, given: T, css = "") {
      const state = { ...given, _esm: module, _css: css, _anywidget_id: "ketbook", ...shown() };
      const model = open(ANYWIDGET, "Any", state, "AnyView");
      return Object.assign(
        displayOf(model.id, () => inspect(given)),
        {
          get: <K extends keyof T & string>(name: K) => model.state[name] as T[K],
          set: (part: Partial<T>) => model.update(part),
          on: (hear: (state: T) => void) => void model.changed.add(hear as (state: State) => void),
          hear: (hear: (content: unknown) => void) => void model.sent.add(hear),
          send: model.send,
          close: model.close,
        },
      );
    },
  };
}
