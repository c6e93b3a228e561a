/** Credit balances of an organization. */
export interface CreditBalance {
  /** Identifier of the organization that the key belongs to. */
  organizationId: string;
  /**
   * Credits that the key's user may spend, without those that are held for running jobs: the organization's, or the
   * user's own. Null where the service does not say.
   */
  svcCredits: number | null;
  /** Credits of the cloud vendor; null where the service does not say. */
  awsCredits: number | null;
  /** Whether credits are bought automatically when they run low; null where the service does not say. */
  autoRecharge: boolean | null;
  /** The user's own budget within the organization, if there is one. */
  budget?: UserBudget;
}

/** Budget of a user within an organization, and how much of it is used. */
export interface UserBudget {
  /** Whether the credits are the user's own. Otherwise all users of the organization share them. */
  ownCredits: boolean;
  /** Bytes of programs and results that the user keeps. */
  storedBytes: number;
  /** Bytes that the user may keep; null: those that the organization has left. */
  maxStoredBytes: number | null;
  /** Unfinished jobs of the user. */
  waitingJobs: number;
  /** Jobs of the user that may be unfinished at the same time; null: no limit. */
  maxWaitingJobs: number | null;
}

/** Price of credits. */
export interface CreditPricing {
  /** US dollars per credit; null where the service does not say. */
  usdPerCredit: number | null;
  /** Code of the currency, such as `USD`. */
  currency: string;
  /** Smallest purchase, in the currency; null where the service does not say. */
  minimumPurchase: number | null;
  /** Packs that can be bought: credits, and their price in the currency. */
  packs: { credits: number; price: number }[];
}

/** Usage of a simulator's daily quota. */
export interface SimulatorUsage {
  /** Resource name of the simulator. */
  deviceQrn: string;
  /** Name of the tier that the caller is in, which sets the limit. */
  tier: string;
  /** Jobs a day; null: no limit. */
  dailyLimit: number | null;
  /** Jobs of today; null where the service does not say. */
  used: number | null;
  /** Jobs that are left today; null: no limit. */
  remaining: number | null;
  /** Time when the day ends and the count restarts (ISO 8601). */
  resetsAt: string;
}

/** Jobs that completed on one day. */
export interface UsageDay {
  /** `YYYY-MM-DD`. */
  date: string;
  /** Jobs that completed on that day. */
  count: number;
}
