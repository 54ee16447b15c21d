/** For requests of a client or another service: from one message to the longest timeout of a contract. */
export const DURATION_BUCKETS_SECONDS = [0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** For times as long as a job waits or runs, or a receiver is down. */
export const WAIT_BUCKETS_SECONDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1_800, 3_600];
