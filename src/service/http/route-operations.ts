import type { Context as Call, Hono, MiddlewareHandler } from "hono";
import { HttpError } from "../http-error.ts";
import { type Admission, allowAnonymous, requireAuth } from "./admission.ts";
import type { BodyReader } from "./body-reader.ts";
import type { CallState } from "./call-state.ts";
import type { Operation } from "./operation.ts";
import { checkPath, pathOf, readQuery } from "./request-url.ts";
import { sendBody, toBody } from "./stream.ts";
import { validate } from "./validate.ts";

type Middleware = MiddlewareHandler<CallState>;

/** Admission and parsing of requests to operations. */
export interface OperationParts {
  /** Path that those of the operations are below. */
  base: string;
  admission: Admission;
  readBody: BodyReader;
}

/** Routes operations. Other methods on their paths are refused with 405. */
export function routeOperations(
  app: Hono<CallState>,
  operations: readonly Operation[],
  { base, admission, readBody }: OperationParts,
): void {
  const toPattern = (path: string) => base + path.replaceAll(/\{(\w+)\}/g, ":$1");
  const routed = operations.toSorted(byPath);
  for (const each of routed) {
    app.on(
      each.method.toUpperCase(),
      toPattern(each.path),
      each.requiresAuth ? requireAuth(admission) : allowAnonymous(admission),
      checkPath,
      ...(each.query ? [checkQuery(each.query)] : []),
      ...(each.body ? [checkBody(each, each.body, readBody)] : []),
      respond(each),
    );
  }
  for (const [path, known] of Map.groupBy(routed, each => each.path)) {
    const allowed = known.map(each => each.method.toUpperCase()).join(", ");
    app.all(toPattern(path), allowAnonymous(admission), call => {
      const message = `${pathOf(call).slice(0, 200)} takes ${allowed}, not ${call.req.method}.`;
      throw new HttpError("METHOD_NOT_ALLOWED", message, { headers: { Allow: allowed } });
    });
  }
}

/** Sorts fixed parts of paths before variable ones, so that `/jobs/group` is not taken for a job. */
function byPath(a: Operation, b: Operation): number {
  return a.path.replaceAll("{", "~") < b.path.replaceAll("{", "~") ? -1 : 1;
}

const checkQuery =
  (schema: NonNullable<Operation["query"]>): Middleware =>
  (call, next) => {
    call.set("query", validate(schema, readQuery(call.req.url)));
    return next();
  };

const checkBody =
  (operation: Operation, schema: NonNullable<Operation["body"]>, readBody: BodyReader): Middleware =>
  (call, next) =>
    readBody(call, body => {
      const given = body === undefined && operation.bodyOptional ? {} : body;
      call.set("body", validate(schema, given, operation.invalidStatus));
      return next();
    });

const respond = (operation: Operation) => async (call: Call<CallState>) => {
  const content = await operation.handle({
    caller: call.get("caller"),
    params: call.req.param(),
    query: call.get("query"),
    body: call.get("body"),
    requestId: call.get("requestId"),
    header: name => call.req.header(name),
  });
  const { status, mediaType } = operation;
  const body = await toBody(content);
  const { outgoing } = call.env ?? {};
  if (outgoing && typeof body === "string") return sendBody(outgoing, { status, mediaType, body });
  return new Response(body, { status, headers: { "Content-Type": mediaType } });
};
