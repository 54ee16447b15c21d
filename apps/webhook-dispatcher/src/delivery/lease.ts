/**
 * How long a claimed delivery is locked for one process: the request for the secrets, the attempt, its result, and a
 * reserve.
 */
export const LEASE_MS = 30_000;
