import { waitFor } from '@kinora/testing';
import type { Account } from '@kinora/contracts/billing/account';
import type { Job } from '@kinora/contracts/jobs/job';
import type { Answer, ApiClient } from './api-client';

/** The client's timeout; after it the client retries, while the earlier request may still be executed. */
const PATIENCE_MS = 12_000;

/** A retrying client: it repeats the same request until a service responds. */
export async function createThroughFaults(
  client: ApiClient,
  key: string,
  body: Record<string, unknown>,
  timeoutMs = 90_000,
): Promise<Job> {
  return (await answerThroughFaults(client, key, body, { timeoutMs })).body;
}

/** The same, with the headers of the response. */
export async function answerThroughFaults(
  client: ApiClient,
  key: string,
  body: Record<string, unknown>,
  { timeoutMs, patienceMs }: { timeoutMs: number; patienceMs?: number },
): Promise<Answer<Job>> {
  return await waitFor(
    async () => {
      const answer = await tryToCreate(client, key, body, patienceMs);
      return jobOf(answer) && answer;
    },
    { timeoutMs },
  );
}

/** One attempt. Null when no response arrived in time, or none at all. */
export async function tryToCreate(
  client: ApiClient,
  key: string | null,
  body: Record<string, unknown>,
  patienceMs = PATIENCE_MS,
): Promise<Answer<Job> | null> {
  const request = {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(key !== null && { 'Idempotency-Key': key }) },
    body: JSON.stringify(client.bodyOf(body)),
    signal: AbortSignal.timeout(patienceMs),
  };
  return await unlessCutOff(client.send<Job>('/images/generations', request));
}

/** While a service is down, a read may fail with 503 or 404, but must never return wrong data. */
export async function endedThroughFaults(client: ApiClient, id: string, timeoutMs = 150_000): Promise<Job> {
  return await waitFor(
    async () => {
      const job = jobOf(await unlessCutOff(client.get<Job>(`/jobs/${id}`)));
      return job && job.completed_at !== null ? job : null;
    },
    { timeoutMs },
  );
}

/** Null while the service is unavailable. */
export async function balanceThroughFaults(client: ApiClient): Promise<number | null> {
  const answer = await unlessCutOff(client.get<Account>('/account'));
  return answer?.status === 200 ? answer.body.balance_micros : null;
}

/** @throws for a response that is neither a job nor a 503. */
function jobOf(answer: Answer<Job> | null): Job | null {
  if (!answer || answer.status === 503) return null;
  if (answer.status !== 200 && answer.status !== 202)
    throw new Error(`Answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** The error of `fetch` for a broken connection or an expired signal; every other error is a wrong response. */
const CUT_OFF = /^TypeError: (fetch failed|terminated)|^TimeoutError/;

async function unlessCutOff<Body>(answer: Promise<Answer<Body>>): Promise<Answer<Body> | null> {
  try {
    return await answer;
  } catch (error) {
    if (CUT_OFF.test(String(error))) return null;
    throw error;
  }
}
