import { expect, test } from "vitest";
import { openWire } from "../../src/cli/ipynb/kernel.ts";
import { collectOutputs } from "../../src/ipynb/outputs.ts";

const said = (text: string) => ({ type: "stream", parent: "a", content: { name: "stdout", text } });
const shown = (text: string, id: string, type = "display_data", parent = "a") => ({
  type,
  parent,
  content: { data: { "text/plain": text }, metadata: {}, transient: { display_id: id } },
});

test("an update reaches every output of its id, in any cell, and no other", () => {
  const outputs = collectOutputs(1e6);
  const first = outputs.open("a");
  const second = outputs.open("b");
  outputs.take(shown("1", "x"));
  outputs.take(shown("1", "y"));
  outputs.take(shown("1", "x", "display_data", "b"));
  outputs.take(shown("2", "x", "update_display_data", "b"));
  outputs.take(shown("lost", "x", "display_data", "elsewhere"));
  expect(first.outputs).toMatchObject([{ data: { "text/plain": "2" } }, { data: { "text/plain": "1" } }]);
  expect(second.outputs).toMatchObject([{ data: { "text/plain": "2" } }]);
});

test("clear_output clears at once, or with the next output", () => {
  const outputs = collectOutputs(1e6);
  const cell = outputs.open("a");
  outputs.take(said("one"));
  outputs.take({ type: "clear_output", parent: "a", content: { wait: false } });
  expect(cell.outputs).toEqual([]);
  outputs.take(said("two"));
  outputs.take({ type: "clear_output", parent: "a", content: { wait: true } });
  expect(cell.outputs).toHaveLength(1);
  outputs.take(said("three"));
  expect(cell.outputs).toMatchObject([{ text: "three" }]);
});

test("updates and messages that are too large don't get a cell over its limit", () => {
  const outputs = collectOutputs(10_000);
  const cell = outputs.open("a");
  for (const id of ["x", "y", "z"]) outputs.take(shown("small", id));
  for (const id of ["x", "y", "z"]) outputs.take(shown("x".repeat(6000), id, "update_display_data"));
  expect(JSON.stringify(cell.outputs).length).toBeLessThan(10_000);
  outputs.take({ type: "stream", parent: "a", content: undefined });
  outputs.take(said("after"));
  expect(JSON.stringify(cell.outputs)).toContain("is left out");
  expect(JSON.stringify(cell.outputs)).not.toContain("after");
});

test("only messages signed with the connection's key are read", () => {
  const wire = openWire("key");
  const frames = (key: string) =>
    openWire(key)
      .encode("stream", { text: "x" })
      .frames.map(frame => Buffer.from(frame));
  expect(wire.decode([Buffer.from("topic"), ...frames("key")])).toEqual({
    type: "stream",
    parent: undefined,
    content: { text: "x" },
  });
  expect(wire.decode(frames("other"))).toBeUndefined();
  expect(wire.decode([Buffer.from("noise")])).toBeUndefined();
});
