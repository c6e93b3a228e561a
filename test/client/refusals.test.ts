import { describe, expect, test } from "vitest";
import type { ApiError } from "../../src/client/errors/index.ts";
import { answering, type Reply } from "./answering.ts";

/** The error that an answer to the look-up of a job stands for. */
async function refusal(reply: Reply): Promise<ApiError> {
  await using service = await answering(() => reply);
  return await service.client.jobs.get("q").then(
    () => expect.fail("the answer should be refused"),
    (error: ApiError) => error,
  );
}

describe("what a service says when it refuses", () => {
  test("stands in the error without escape sequences", async () => {
    const hostile = "\u001b]8;;http://x\u0007bad\u001b[31m\u202e\u0085";
    const error = await refusal({
      status: 400,
      body: {
        message: hostile,
        error: { code: `A${hostile}`, details: [{ path: `p${hostile}`, message: `d${hostile}` }] },
        requestId: hostile,
      },
    });
    const [detail] = error.details;
    for (const text of [error.message, error.code, error.requestId, detail!.path, detail!.message])
      expect(text).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
    expect(error.message).toContain("‹U+001B›[31m");
  });

  test("is found where it is a list, or beside the data that are not there", async () => {
    const listed = {
      statusCode: 400,
      message: ["a must be set", "b must be a number"],
      error: "Bad Request",
    };
    expect((await refusal({ status: 400, body: listed })).message).toBe("a must be set; b must be a number");
    const within = { success: false, data: { message: "no room" } };
    expect((await refusal({ status: 201, body: within })).message).toContain("no room");
  });

  test.each([
    [{ requestId: 4711 }, "4711"],
    [{ requestId: "r-1" }, "r-1"],
    [{ error: { requestId: 0 } }, "0"],
  ])("keeps the number of the request: %j", async (body, requestId) => {
    expect((await refusal({ status: 400, body })).requestId).toBe(requestId);
  });

  test("keeps the number of the request where the answer is of another shape", async () => {
    const error = await refusal({ body: { success: true, data: [], requestId: "r-2" } });
    expect([error.code, error.requestId]).toEqual(["UNEXPECTED_SHAPE", "r-2"]);
  });
});
