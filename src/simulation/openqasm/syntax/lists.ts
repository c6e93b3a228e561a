/** The list of nothing, which all share. */
export const NONE: readonly never[] = [];

/** Returns a list that takes no more memory than its items; one that grows has room for more. */
export const fitted = <T>(list: T[]): T[] => (list.length === 0 ? list : list.slice());
