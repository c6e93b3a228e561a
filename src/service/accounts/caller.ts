import type { Budget, Scope } from "../store/schema.ts";

/** Sender of a request. */
export interface Caller {
  userId: number;
  organizationId: string;
  tier: string;
  /** Default: that of the whole organization. */
  budget?: Budget;
  /** Patterns of the devices that the key may use; `undefined`: every device. */
  allow: string[] | undefined;
  keyId: string;
  scope: Scope;
}
