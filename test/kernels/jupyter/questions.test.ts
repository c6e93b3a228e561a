import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Dealer, Subscriber } from "zeromq";
import { openWire } from "../../../src/cli/ipynb/kernel.ts";
import { newConnection } from "../../../src/cli/ipynb/kernel-process.ts";
import { launchCommand } from "../../../src/kernels/jupyter/command.ts";
import { newFolder } from "../../notebook-run/support.ts";

test("a subscriber is welcomed; prompt, confirm and the lines of standard input ask the front end", async () => {
  const folder = newFolder();
  const connection = await newConnection();
  const connectionFile = join(folder, "connection.json");
  writeFileSync(connectionFile, JSON.stringify(connection));
  const [command = "", ...args] = launchCommand({ connectionFile, exitWithParent: true });
  const kernel = spawn(command, args, { cwd: folder, detached: true, stdio: ["pipe", "ignore", "inherit"] });
  const ended = once(kernel, "exit");
  const wire = openWire(connection.key);
  const [shell, stdin] = [new Dealer({ routingId: "asked" }), new Dealer({ routingId: "asked" })];
  const published = new Subscriber();
  try {
    shell.connect(`tcp://127.0.0.1:${connection.shell_port}`);
    stdin.connect(`tcp://127.0.0.1:${connection.stdin_port}`);
    published.connect(`tcp://127.0.0.1:${connection.iopub_port}`);
    published.subscribe();
    let welcome: unknown;
    const prompts: unknown[] = [];
    const passwords: unknown[] = [];
    const answers = ["Ada", "yes", "first", "second"];
    void (async () => {
      for await (const frames of stdin) {
        const message = wire.decode(frames);
        if (message?.type !== "input_request") continue;
        prompts.push(message.content?.prompt);
        passwords.push(message.content?.password);
        await stdin.send(wire.encode("input_reply", { value: answers.shift() }).frames);
      }
    })().catch(() => undefined);
    let shown: unknown;
    void (async () => {
      for await (const frames of published) {
        const message = wire.decode(frames.slice(frames.length - 6));
        if (message?.type === "iopub_welcome") welcome = message.content;
        if (message?.type === "execute_result") shown = message.content?.data;
      }
    })().catch(() => undefined);
    const code = `import { createInterface } from "node:readline/promises";
const name = prompt("Who?");
const sure = confirm("Sure?");
const lines = createInterface({ input: process.stdin });
const one = await lines.question("");
const two = await lines.question("");
[name, sure, one, two]`;
    await shell.send(wire.encode("execute_request", { code, silent: false, allow_stdin: true }).frames);
    const reply = wire.decode(await shell.receive());
    expect(reply?.content).toMatchObject({ status: "ok" });
    await expect.poll(() => shown).toEqual({ "text/plain": "[ 'Ada', true, 'first', 'second' ]" });
    expect(welcome).toEqual({ subscription: "" });
    expect(new Set(passwords)).toEqual(new Set([0]));
    expect(prompts.slice(0, 2)).toEqual(["Who? ", "Sure? [y/N] "]);
  } finally {
    for (const socket of [shell, stdin, published]) socket.close();
    process.kill(-kernel.pid!, "SIGKILL");
    await ended;
  }
});
