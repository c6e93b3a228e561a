import type { Hono } from "hono";
import { equalsInConstantTime } from "#host/digest";
import { compareVersions, isNonce, LOCAL_PATHS, proveService } from "../../contract/local.ts";
import { digestKey } from "../accounts/keys.ts";
import { badField, HttpError } from "../http-error.ts";
import type { CallState } from "./call-state.ts";

/** Identity that a service presents to the notebooks of its data folder. */
export interface LocalIdentity {
  /** Base address of version 2. */
  url: string;
  /** Key of the data folder's own user. */
  apiKey: string;
  version: string;
  /** Ends the service if nothing is under way; resolves to whether it ends. */
  stepAside(): Promise<boolean>;
}

/** Adds what notebooks ask the service of their data folder before they send it a key. */
export function addLocalRoutes(app: Hono<CallState>, identity: () => LocalIdentity): void {
  app.get(LOCAL_PATHS.identity, call => {
    const nonce = call.req.query("nonce");
    if (!isNonce(nonce)) throw badField("nonce", "must be 32 to 128 hexadecimal digits");
    const { url, apiKey, version } = identity();
    return call.json({ version, proof: proveService({ url, apiKey, version }, nonce) });
  });
  app.post(LOCAL_PATHS.stepAside, async call => {
    const { apiKey, version, stepAside } = identity();
    if (!isSame(call.req.header("x-api-key") ?? "", apiKey)) {
      throw new HttpError("INVALID_API_KEY", "Only the data folder's own user may ask for that.");
    }
    const isNewer = compareVersions(call.req.query("version") ?? "", version) > 0;
    return call.json({ accepted: isNewer && (await stepAside()) });
  });
}

const isSame = (given: string, key: string) => equalsInConstantTime(digestKey(given), digestKey(key));
