import { expect, test } from "vitest";
import { z } from "zod";
import { errorsOf, type Operation, operation } from "../../../src/service/http/operation.ts";

test("the errors of an operation follow from what it takes, besides those of its own", () => {
  const handle = async () => 1;
  const plain = { id: "a", path: "/a", summary: "", data: z.number(), handle } as const;
  const common = ["RATE_LIMITED", "INTERNAL", "STORE_UNAVAILABLE", "STORAGE_FULL"] as const;
  const errors = (declared: Operation) => [...errorsOf(declared)].sort();
  expect(errors(operation({ ...plain, requiresAuth: false }))).toEqual([...common].sort());
  const full = operation({ ...plain, path: "/a/{b}", body: z.unknown(), errors: ["GROUP_TERMINAL"] });
  expect(errors(full)).toEqual(
    [
      ...common,
      ...["NO_VALID_AUTHENTICATION", "INVALID_API_KEY_FORMAT", "INVALID_API_KEY", "FORBIDDEN"],
      ...["NOT_FOUND", "VALIDATION_ERROR", "PAYLOAD_TOO_LARGE", "GROUP_TERMINAL"],
    ].sort(),
  );
});
