/** Returns the sentence on a copy of a store whose ledger balances, and on documents that its jobs lack. */
export const wholeness = (subject: string, missing: readonly string[] = []): string =>
  missing.length === 0
    ? `${subject} is whole, and its ledger balances.`
    : `Its ledger balances, but ${subject.toLowerCase()} is not whole: ${missing.join("; ")}.`;
