/** Current capacity of a device. */
export interface Capacity {
  /** QPUs that run a job: each runs one at a time. */
  busyQpus: ReadonlySet<string>;
  /** Users of whom no more jobs may run. Default: none. */
  busyUsers?: ReadonlySet<number>;
  /** Whether only a user's first job is wanted, and none that was put back for being long. Default: false. */
  isExpress?: boolean;
  /** Milliseconds since 1970: jobs that may only start later are left. Default: every job may start. */
  now?: number;
  /**
   * Whether the job is wanted only if it runs on a simulator, is expected to be short, and has not crashed; it is taken
   * ahead, and its time counts for nothing until it has `started`. Default: false.
   */
  isShort?: boolean;
}
