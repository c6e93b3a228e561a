import { Ketbook } from "../../src/index.ts";
import { listening, send } from "../client/answering.ts";

/** A notebook's instance of a service that answers these payloads, by path. */
export async function serving(payloads: Record<string, unknown>) {
  const service = await listening((request, response) => {
    const path = decodeURIComponent(request.url!.split("?", 1)[0]!).replace("/api/v1", "");
    const known = Object.hasOwn(payloads, path);
    send(response, known ? { body: { success: true, data: payloads[path] } } : { status: 404, body: {} });
  });
  const ketbook = new Ketbook({ url: `${service.origin}/api/v1`, apiKey: "k", maxRetries: 0 });
  return { ketbook, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() };
}
