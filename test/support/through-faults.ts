import { waitFor } from '@kinora/testing';
import type { Account } from '@kinora/contracts/billing/account';
import type { Job } from '@kinora/contracts/jobs/job';
import type { Answer, ApiClient } from './api-client';

/** A client that waits no longer for one answer repeats itself, while what it has asked for may still happen. */
const PATIENCE_MS = 12_000;

/** How a client behaves that must know: it asks again, in the same words, for as long as nobody can answer. */
export async function createThroughFaults(
  client: ApiClient,
  key: string,
  body: Record<string, unknown>,
  timeoutMs = 90_000,
): Promise<Job> {
  return await waitFor(async () => jobOf(await tryToCreate(client, key, body)), { timeoutMs });
}

/** One try. Null when there was no answer in time, or none at all. */
export async function tryToCreate(
  client: ApiClient,
  key: string | null,
  body: Record<string, unknown>,
  patienceMs = PATIENCE_MS,
): Promise<Answer<Job> | null> {
  const request = {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(key !== null && { 'Idempotency-Key': key }) },
    body: JSON.stringify({ size: '512x512', ...body }),
    signal: AbortSignal.timeout(patienceMs),
  };
  return await unlessCutOff(client.send<Job>('/images/generations', request));
}

/** While a service is away a read may be refused or find nobody; it may not say anything wrong. */
export async function endedThroughFaults(client: ApiClient, id: string, timeoutMs = 90_000): Promise<Job> {
  return await waitFor(
    async () => {
      const job = jobOf(await unlessCutOff(client.get<Job>(`/jobs/${id}`)));
      return job && job.completed_at !== null ? job : null;
    },
    { timeoutMs },
  );
}

/** Null while nobody can say. */
export async function balanceThroughFaults(client: ApiClient): Promise<number | null> {
  const answer = await unlessCutOff(client.get<Account>('/account'));
  return answer?.status === 200 ? answer.body.balance_micros : null;
}

/** @throws what an answer says that is neither a job nor a service that is away. */
function jobOf(answer: Answer<Job> | null): Job | null {
  if (!answer || answer.status === 503) return null;
  if (answer.status !== 200 && answer.status !== 202)
    throw new Error(`Answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** How `fetch` tells that a connection broke, or that its signal ended it; what says anything else is a wrong answer. */
const CUT_OFF = /^TypeError: (fetch failed|terminated)|^TimeoutError/;

async function unlessCutOff<Body>(answer: Promise<Answer<Body>>): Promise<Answer<Body> | null> {
  try {
    return await answer;
  } catch (error) {
    if (CUT_OFF.test(String(error))) return null;
    throw error;
  }
}
