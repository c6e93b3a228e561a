import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathOf } from "./available.ts";

/** A tab of Firefox, spoken to by its own WebDriver BiDi. */
export interface FirefoxTab {
  /** Addresses that were asked for, and errors that were logged. */
  requests: string[];
  errors: string[];
  open(url: string): Promise<void>;
  /** Evaluates an expression, which may be a promise, and returns its value: a string, number or boolean. */
  evaluate(expression: string): Promise<unknown>;
  /** Clicks with the mouse on the element that an expression evaluates to. */
  click(expression: string): Promise<void>;
  /** Ends Firefox with all that it has started. */
  close(): Promise<void>;
}

interface Answer {
  id?: number;
  type: string;
  method?: string;
  message?: string;
  result?: unknown;
  params?: { level?: string; text?: string; request?: { url: string } };
}

/** What an expression evaluates to: a value, or an element of the page. */
interface Evaluated {
  value?: unknown;
  sharedId?: string;
}

/** Settings that save work: nothing moves without need, no process is started ahead, and Firefox has no errands of its own. */
const SETTINGS: Readonly<Record<string, unknown>> = {
  "ui.prefersReducedMotion": 1,
  "dom.ipc.processPrelaunch.enabled": false,
  "browser.newtab.preload": false,
  "datareporting.policy.dataSubmissionEnabled": false,
  "toolkit.telemetry.enabled": false,
  "app.normandy.enabled": false,
  "app.update.enabled": false,
  "extensions.update.enabled": false,
};

/** Starts Firefox on a profile of its own, without a window. */
export async function startFirefox(): Promise<FirefoxTab> {
  const profile = mkdtempSync(join(tmpdir(), "ketbook-firefox-"));
  const settings = Object.entries(SETTINGS).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`,
  );
  writeFileSync(join(profile, "user.js"), settings.join(""));
  const args = [
    "--headless",
    "--no-remote",
    "--profile",
    profile,
    "--remote-debugging-port",
    "0",
    "about:blank",
  ];
  const child = spawn(pathOf("firefox")!, args, {
    detached: true,
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, HOME: profile },
  });
  const exited = new Promise<void>(resolve => child.once("exit", () => resolve()));
  const address = await new Promise<string>((resolve, reject) => {
    let text = "";
    child.stderr.setEncoding("utf8").on("data", chunk => {
      text += chunk;
      const found = /WebDriver BiDi listening on (\S+)/.exec(text)?.[1];
      if (found) resolve(found);
    });
    void exited.then(() => reject(new Error(`Firefox ended: ${text}`)));
  });
  const socket = new WebSocket(`${address}/session`);
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = reject;
  });
  const waiting = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>();
  const requests: string[] = [];
  const errors: string[] = [];
  socket.onmessage = ({ data }) => {
    const { id, type, method, message, result, params } = JSON.parse(String(data)) as Answer;
    if (method === "network.beforeRequestSent") requests.push(params!.request!.url);
    if (method === "log.entryAdded" && params!.level === "error") errors.push(params!.text ?? "");
    const asked = waiting.get(id ?? 0);
    if (type === "error") asked?.reject(new Error(message));
    else asked?.resolve(result);
  };
  let serial = 0;
  const send = <T>(method: string, params: object): Promise<T> =>
    new Promise((resolve, reject) => {
      serial += 1;
      waiting.set(serial, { resolve: resolve as (result: unknown) => void, reject });
      socket.send(JSON.stringify({ id: serial, method, params }));
    });
  await send("session.new", { capabilities: {} });
  await send("session.subscribe", { events: ["log.entryAdded", "network.beforeRequestSent"] });
  const { contexts } = await send<{ contexts: { context: string }[] }>("browsingContext.getTree", {});
  const { context } = contexts[0]!;

  async function evaluated(expression: string): Promise<Evaluated> {
    const target = { context };
    const options = { expression, target, awaitPromise: true };
    const { result, exceptionDetails } = await send<{
      result?: Evaluated;
      exceptionDetails?: { text: string };
    }>("script.evaluate", options);
    if (exceptionDetails) throw new Error(`${expression} throws ${exceptionDetails.text}`);
    return result ?? {};
  }

  return {
    requests,
    errors,
    async open(url) {
      await send("browsingContext.navigate", { context, url, wait: "complete" });
    },
    evaluate: async expression => (await evaluated(expression)).value,
    async click(expression) {
      const { sharedId } = await evaluated(expression);
      if (sharedId === undefined) throw new Error(`${expression} is no element.`);
      const origin = { type: "element", element: { sharedId } };
      const actions = [
        { type: "pointerMove", x: 0, y: 0, origin },
        { type: "pointerDown", button: 0 },
        { type: "pointerUp", button: 0 },
      ];
      await send("input.performActions", { context, actions: [{ type: "pointer", id: "mouse", actions }] });
    },
    async close() {
      process.kill(-child.pid!, "SIGKILL");
      await exited;
      socket.close();
      rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
}
