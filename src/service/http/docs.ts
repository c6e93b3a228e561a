import type { Hono } from "hono";
import { type Admission, allowAnonymous } from "./admission.ts";
import type { CallState } from "./call-state.ts";
import type { Operation } from "./operation.ts";

/** Adds the OpenAPI document of the operations, and the page that shows it. What makes them is loaded when they are first read. */
export function addDocs(
  app: Hono<CallState>,
  operations: readonly Operation[],
  { base, version, admission }: { base: string; version: string; admission: Admission },
): void {
  const write = async () => {
    const [{ describeOperations }, { docsPage }] = await Promise.all([
      import("./openapi.ts"),
      import("./docs-page.ts"),
    ]);
    const document = describeOperations(operations, base, version);
    return { json: JSON.stringify(document), page: docsPage(document) };
  };
  let written: ReturnType<typeof write> | undefined;
  const docs = () => {
    written ??= write();
    return written;
  };
  app.get(`${base}/openapi.json`, allowAnonymous(admission), async call =>
    call.body((await docs()).json, 200, { "Content-Type": "application/json" }),
  );
  app.get(`${base}/docs`, allowAnonymous(admission), async call => call.html((await docs()).page));
}
