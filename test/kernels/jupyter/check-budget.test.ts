import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openSession, textOf } from "./session.ts";

/** A module whose last export has a type that takes seconds to find. */
const slowModule = Array.from(
  { length: 900 },
  (_, at) => `export const f${at} = () => ({ ${at > 0 ? `...f${at - 1}(), ` : ""}a${at}: ${at} });`,
).join("\n");

test("a cell whose types take long to check runs first, and what is wrong is shown below it", async () => {
  const session = await openSession({ waitForTypes: false });
  writeFileSync(join(session.folder, "slow.ts"), slowModule);
  const { reply, outputs } = await session.run(
    'import { f899 } from "./slow";\nconst made = f899();\nconsole.log(made.nowhere, made.a0)',
  );
  expect(reply.status).toBe("ok");
  expect(outputs).toMatchObject([{ name: "stdout", text: "undefined 0\n" }]);
  const late = () => session.published.filter(({ content }) => content?.name === "stderr");
  await expect.poll(late, { timeout: 20_000 }).toHaveLength(1);
  expect(late()[0]!.content?.text).toMatch(
    /^The cell had already run when the type check found this:[\s\S]*Property 'nowhere' does not exist/,
  );
  expect(textOf(await session.run("made.a899"))).toBe("899");
});
