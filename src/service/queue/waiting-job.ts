/** A job that waits for its device. */
export interface WaitingJob {
  /** Order of submission. */
  seq: number;
  userId: number;
  tier: string;
  device: string;
  isQpu: boolean;
  /** Bytes of amplitudes that it was found to need. Default: not found yet. */
  bytes?: number;
  /** Earliest start, in milliseconds since 1970. Default: immediately. */
  earliestStart?: number;
  /** Whether the service has broken down while it ran. Default: false. */
  hasCrashed?: boolean;
}
