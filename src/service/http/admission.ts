import type { Context as Call, MiddlewareHandler } from "hono";
import type { Caller } from "../accounts/caller.ts";
import { authenticate } from "../accounts/keys.ts";
import { requireScope, scopeOf } from "../accounts/scopes.ts";
import type { Context } from "../context.ts";
import { HttpError } from "../http-error.ts";
import { type CallState, setHeaders } from "./call-state.ts";
import { NO_PROXIES, networkOf, type TrustedProxies } from "./client-address.ts";
import { createRateLimit, toHeaders } from "./rate-limit.ts";
import { createSharedRateLimit } from "./shared-rate-limit.ts";

/** The caller of what needs no key. */
const ANONYMOUS: Caller = {
  userId: 0,
  organizationId: "",
  tier: "",
  allow: undefined,
  keyId: "",
  scope: "read",
};

/** Rates of admitted requests. */
export interface RequestRates {
  /** Requests a second of each key; ten seconds' worth may come at once. Default: 1000. */
  perKey?: number | undefined;
  /** Requests a second without a valid key of each address. Default: 100. */
  perAddress?: number | undefined;
  /** Whether the rates hold over all processes on the store, and not in each. Default: false. */
  isShared?: boolean;
}

/** Lets requests in. */
export interface Admission {
  /** Finds who calls, within the rate of the key; refuses with 401, or with 429. */
  identify(call: Call<CallState>, header?: string): Promise<Caller>;
  /** Lets a request without a key in, within the rate of its address; refuses with 429. */
  admitAnonymous(call: Call<CallState>): Promise<void>;
}

/** Makes the admission of a service. */
export function createAdmission(
  { store, clock }: Pick<Context, "store" | "clock">,
  { perKey = 1000, perAddress = 100, isShared = false }: RequestRates = {},
  { addressOf }: TrustedProxies = NO_PROXIES,
): Admission {
  const createLimit = (name: string, perSecond: number) =>
    isShared ? createSharedRateLimit({ store, clock, name, perSecond }) : createRateLimit(perSecond);
  const keys = createLimit("key", perKey);
  const addresses = createLimit("address", perAddress);

  async function admitAnonymous(call: Call<CallState>): Promise<void> {
    call.set("caller", ANONYMOUS);
    setHeaders(call, toHeaders(await addresses.take(networkOf(addressOf(call)))));
  }

  return {
    admitAnonymous,
    async identify(call, header = "X-API-KEY") {
      const key = call.req.header(header);
      const caller = await authenticate(store, key, header, clock()).catch(async error => {
        if (error instanceof HttpError) await admitAnonymous(call);
        throw error;
      });
      call.set("caller", caller);
      setHeaders(call, toHeaders(await keys.take(caller.keyId)));
      return caller;
    },
  };
}

/** Lets requests in that carry a key of the scope that their method needs. */
export const requireAuth =
  (admission: Admission, header?: string): MiddlewareHandler<CallState> =>
  async (call, next) => {
    requireScope(await admission.identify(call, header), scopeOf(call.req.method));
    await next();
  };

/** Lets requests in without a key. */
export const allowAnonymous =
  (admission: Admission): MiddlewareHandler<CallState> =>
  async (call, next) => {
    await admission.admitAnonymous(call);
    await next();
  };
