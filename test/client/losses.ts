import type { IncomingMessage, ServerResponse } from "node:http";
import { send } from "./answering.ts";

/** Ways in which the answer to a request is lost, whether or not it was carried out. */
export const losses = {
  reset: ({ socket }, _) => socket.resetAndDestroy(),
  "an answer that breaks off": ({ socket }, response) => {
    response.writeHead(201, { "content-length": "1000" });
    response.write('{"success": true,');
    setTimeout(() => socket.resetAndDestroy(), 5);
  },
  "half of its JSON": (_, response) => send(response, { status: 201, body: '{"success": true, "data": {' }),
  "a page": (_, response) => send(response, { body: "<html>" }),
  "a record without a name": (_, response) =>
    send(response, { status: 201, body: { success: true, data: "" } }),
  silence: () => undefined,
  "success: false": (_, response) =>
    send(response, { status: 201, body: { success: false, message: "No." } }),
  "a redirect": (_, response) =>
    send(response, { status: 303, body: "", headers: { location: "https://portal.example.org/" } }),
  500: (_, response) => send(response, { status: 500, body: {} }),
  502: (_, response) => send(response, { status: 502, body: "<html>" }),
  408: (_, response) => send(response, { status: 408, body: "" }),
  "503 with Retry-After": (_, response) =>
    send(response, { status: 503, body: {}, headers: { "retry-after": "1" } }),
} satisfies Record<string, (request: IncomingMessage, response: ServerResponse) => void>;
