import { expect, test } from "vitest";
import { takeTurn } from "../../../src/service/http/turns.ts";

test("between two turns, what came in from outside is seen to", async () => {
  const order: string[] = [];
  let isOver = false;
  const others = () => {
    order.push("other");
    if (!isOver) setImmediate(others);
  };
  setImmediate(others);
  const turns = [1, 2, 3, 4].map(turn => takeTurn().then(() => order.push(`turn ${turn}`)));
  await Promise.all(turns);
  isOver = true;
  const places = [1, 2, 3, 4].map(turn => order.indexOf(`turn ${turn}`));
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  for (const place of places.slice(1)) expect(order[place - 1]).toBe("other");
});
