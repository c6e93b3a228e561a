import type { Selectable } from "kysely";
import type { Scope, UsersTable } from "../store/schema.ts";

/** The columns of a user that hold the budget within the organization. */
export const BUDGET_COLUMNS = ["own_credits", "max_stored_bytes", "max_waiting_jobs"] as const;

/** Budget of a user within an organization, as the store has it. */
export type Budget = Pick<Selectable<UsersTable>, (typeof BUDGET_COLUMNS)[number]>;

/** Who sent a request. */
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
