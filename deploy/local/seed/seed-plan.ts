export interface SeedAccount {
  name: string;
  balanceUsd: number;
  status?: 'paused';
}

/** A job in a given state, and the prompt that brings it there: apps/sandbox/README.md, "Directives". */
export interface SeedJob {
  name: string;
  prompt: string;
  status: 'queued' | 'processing' | 'succeeded' | 'failed' | 'canceled';
  cancel?: true;
  /** Where its webhook goes: a receiver that answers, or a host that does not exist. */
  webhook?: 'receiver' | 'failing';
  /** All attempts of its webhook are made at once, so that its delivery is `exhausted`. */
  exhausted?: true;
}

/** The first account owns the jobs. */
export const ACCOUNTS: readonly SeedAccount[] = [
  { name: 'Seed Northlight', balanceUsd: 50 },
  { name: 'Seed without jobs', balanceUsd: 5 },
  { name: 'Seed without money', balanceUsd: 0 },
  { name: 'Seed paused', balanceUsd: 5, status: 'paused' },
];

const SUBJECT = 'a lighthouse on a rocky coast';

export const JOBS: readonly SeedJob[] = [
  { name: 'succeeded', prompt: SUBJECT, status: 'succeeded', webhook: 'receiver' },
  { name: 'failed', prompt: `${SUBJECT} [[fail:error]]`, status: 'failed', webhook: 'failing' },
  {
    name: 'failed, delivery exhausted',
    prompt: `${SUBJECT} [[fail:error]]`,
    status: 'failed',
    webhook: 'failing',
    exhausted: true,
  },
  { name: 'blocked output', prompt: `${SUBJECT} [[output:blocked]]`, status: 'failed' },
  { name: 'canceled', prompt: `${SUBJECT} [[delay:86400s]]`, status: 'canceled', cancel: true },
  { name: 'processing', prompt: `${SUBJECT} [[delay:86400s]]`, status: 'processing' },
  { name: 'queued', prompt: `${SUBJECT} [[fail:capacity]]`, status: 'queued' },
];

/** RFC 2606 guarantees that this host never exists. */
export const FAILING_RECEIVER = 'https://receiver.invalid/events';
