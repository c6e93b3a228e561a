import type { Hono } from "hono";
import { type Admission, allowAnonymous } from "./admission.ts";
import type { CallState } from "./call-state.ts";
import { docsPage } from "./docs-page.ts";
import { describeOperations } from "./openapi.ts";
import type { Operation } from "./operation.ts";

/** Adds the OpenAPI document of the operations, and the page that shows it. They are made when they are first read. */
export function addDocs(
  app: Hono<CallState>,
  operations: readonly Operation[],
  { base, version, admission }: { base: string; version: string; admission: Admission },
): void {
  let written: { json: string; page: string } | undefined;
  const docs = () => {
    if (written) return written;
    const document = describeOperations(operations, base, version);
    written = { json: JSON.stringify(document), page: docsPage(document) };
    return written;
  };
  app.get(`${base}/openapi.json`, allowAnonymous(admission), call =>
    call.body(docs().json, 200, { "Content-Type": "application/json" }),
  );
  app.get(`${base}/docs`, allowAnonymous(admission), call => call.html(docs().page));
}
