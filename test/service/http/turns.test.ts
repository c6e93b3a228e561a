import { expect, test } from "vitest";
import { takeTurn } from "../../../src/service/http/body-reader.ts";

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

test("turns go round the users", async () => {
  const order: string[] = [];
  const take = (userId: number, name: string) => takeTurn(userId).then(() => order.push(name));
  await Promise.all([
    ...Array.from({ length: 50 }, (_, index) => take(1, `greedy ${index}`)),
    take(2, "other"),
    take(2, "other again"),
  ]);
  expect(order.slice(0, 4)).toEqual(["greedy 0", "other", "greedy 1", "other again"]);
  expect(order).toHaveLength(52);
});
