import { expect } from "vitest";
import { openClient } from "../../src/client/client.ts";
import type { RenderedView } from "../../src/display/index.ts";

export const now = Date.parse("2026-11-21T10:30:00Z");

/** A client of a service that answers everything with this. */
export const reading = (data: unknown, rest: object = {}) =>
  openClient(
    { url: "http://quantum.test/api/v1", apiKey: "" },
    { fetch: async () => Response.json({ success: true, data, ...rest }) },
  );

/** What shows well holds no word of JavaScript for what is missing. */
export function expectShown(...forms: RenderedView[]): void {
  for (const { html, text } of forms) {
    expect(text.length).toBeGreaterThan(10);
    expect(text).not.toMatch(/undefined|NaN|null|\[object|Invalid|Infinity/);
    expect(html).not.toMatch(/undefined|NaN|null|\[object|Invalid|Infinity|<b>boom/);
  }
}
