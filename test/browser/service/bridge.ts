import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { LEGACY_BASE_PATH } from "../../../src/service/http/app.ts";
import { openPage } from "./site.ts";

/** The service of a page, spoken to over HTTP. */
export interface BridgedService {
  url: string;
  legacyUrl: string;
  key: string;
  close(): Promise<void>;
}

let bridges = 0;

/** Opens a site with the service of a page at an origin of its own, and starts a server that hands requests on to it. */
export async function bridgeService(site: string): Promise<BridgedService> {
  bridges += 1;
  const page = await openPage(site.replace("//", `//bridge${bridges}.`));
  const { url, status } = await page.evaluate(async () => {
    const { url, status } = await ketbook.open();
    return { url, status };
  });
  const { origin, pathname } = new URL(url);

  async function answer(request: IncomingMessage) {
    const body = Buffer.concat(await request.toArray()).toString("base64");
    const headers = Object.entries(request.headers).flatMap(([name, value]) =>
      name === "x-api-key" || name === "content-type" || name === "prefer" || name === "idempotency-key"
        ? [[name, String(value)] as [string, string]]
        : [],
    );
    return page.evaluate(given => ketbook.forward(given), {
      method: request.method ?? "GET",
      url: origin + request.url,
      headers,
      body,
    });
  }

  const server = createServer((request, response) => {
    answer(request).then(
      ({ status, headers, body }) =>
        response.writeHead(status, headers.flat()).end(Buffer.from(body, "base64")),
      () => response.destroy(),
    );
  });
  await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: address + pathname,
    legacyUrl: address + LEGACY_BASE_PATH,
    key: status.apiKey,
    async close() {
      server.close();
      server.closeAllConnections();
      await page.close();
    },
  };
}
