import type { Kit } from "./kit.ts";

/** Figures over all jobs of a user. */
export interface JobsSummary {
  total: number;
  /** Status to number of jobs. */
  statuses: { [status: string]: number };
  experimentTypes: { [type: string]: number };
  deviceTypes: { [type: string]: number };
  /** Credits; the average is over settled jobs. */
  cost: { total: number; average: number };
  shots: { total: number; average: number };
}

/** Describes the figures over all jobs. */
export const jobsSummaryOf = (kit: Kit) => {
  const figures = () => kit.object({ total: kit.amount(), average: kit.amount() });
  return kit.object({
    total: kit.count(),
    statuses: kit.map(kit.count()),
    experimentTypes: kit.map(kit.count()),
    deviceTypes: kit.map(kit.count()),
    cost: figures(),
    shots: figures(),
  });
};

/** Describes how many jobs are in each status. */
export const jobsStatusesOf = (kit: Kit) => kit.map(kit.count());

/** What deleting several jobs did. */
export interface JobsDeleted {
  successfulIds: string[];
  /** Job to the reason why it was not deleted. */
  failedIds: { [jobQrn: string]: string };
  /** Deleted jobs that go on running, and are charged. */
  stillRunning: string[];
}

/** Describes what deleting several jobs did. */
export const jobsDeletedOf = (kit: Kit) =>
  kit.object({
    successfulIds: kit.list(kit.text()),
    failedIds: kit.map(kit.text()),
    stillRunning: kit.list(kit.text()),
  });

/** What deleting a job did. */
export interface JobDeleted {
  message: string;
  jobQrn: string;
  deletedAt: string | null;
  /** The job goes on running, and is charged. */
  stillRunning: boolean;
}

/** Describes what deleting a job did. */
export const jobDeletedOf = (kit: Kit) =>
  kit.object({
    message: kit.text(),
    jobQrn: kit.text(),
    deletedAt: kit.maybe(kit.time()),
    stillRunning: kit.flag(),
  });

/** What a request to cancel a job did. */
export interface JobCancelled {
  message: string;
  jobQrn: string;
  status: string;
}

/** Describes what a request to cancel a job did. */
export const jobCancelledOf = (kit: Kit) =>
  kit.object({ message: kit.text(), jobQrn: kit.text(), status: kit.text() });
