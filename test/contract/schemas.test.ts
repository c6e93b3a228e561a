import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { formatSchemas } from "../../src/contract/schemas/json.ts";

test("the JSON Schemas that the client reads records with are those of the contract", () => {
  const written = readFileSync(new URL("../../src/contract/generated-schemas.ts", import.meta.url), "utf8");
  expect(written, "npm run build writes src/contract/generated-schemas.ts anew").toBe(formatSchemas());
});
