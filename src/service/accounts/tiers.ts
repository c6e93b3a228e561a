/** What each tier allows: jobs a day on each simulator, or null for no limit. */
export const TIERS: Readonly<Record<string, { dailyJobs: number | null }>> = {
  local: { dailyJobs: null },
  free: { dailyJobs: 500 },
};
