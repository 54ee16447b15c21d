/** How long whoever claimed a delivery has it to himself: the question for the secrets, the attempt, its result, and time to spare. */
export const LEASE_MS = 30_000;
