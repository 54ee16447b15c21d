import type { QueryClient } from '@tanstack/react-query';
import type { Model } from '../../api/customer';
import { createJob, type Operation } from '../../api/kinora-client';
import { createStore } from '../../api/store';
import { isBlocked } from '../../components/states';

/** A job of one model. */
export interface RunPart {
  id: string;
  model: string;
  /** Null until the service has answered. */
  jobId: string | null;
  error: unknown;
  /** Sends the request, once more after an error. The same idempotency key creates the same job. */
  send: () => Promise<unknown>;
}

/** One click on Generate: a job of each chosen model. */
export interface Run {
  id: string;
  accountId: string;
  prompt: string;
  /** The image that is edited, within this browser. */
  before: string | null;
  parts: readonly RunPart[];
}

export interface PartRequest {
  operation: Operation;
  model: Model;
  body: Record<string, unknown>;
  /** Holds the price that was shown. */
  quoteId: string | null;
}

const RUNS_MAX = 12;
/** Each job of a run is read after a reload, and counts in the account's rate limit. */
const STORED_RUNS_MAX = 5;
/** A model that answers with its image takes longer than a refusal. */
const REFUSED_WITHIN_MS = 2_000;
/** Of the browser's tab. It holds ids only, so that no prompt outlasts the session. */
const STORED = 'kinora.runs';

const store = createStore<readonly Run[]>(readStored());

/** The latest runs of the account in this tab, also after a reload. */
export const useRuns = (accountId: string) => store.use().filter((run) => run.accountId === accountId);

function set(runs: readonly Run[]): void {
  store.set(runs);
  const stored = runs.slice(0, STORED_RUNS_MAX).map(({ accountId, parts }) => ({
    accountId,
    parts: parts.flatMap(({ model, jobId }) => (jobId === null ? [] : [{ model, jobId }])),
  }));
  sessionStorage.setItem(STORED, JSON.stringify(stored.filter(({ parts }) => parts.length > 0)));
}

function readStored(): Run[] {
  const stored = JSON.parse(sessionStorage.getItem(STORED) ?? '[]') as {
    accountId: string;
    parts: { model: string; jobId: string }[];
  }[];
  const send = () => Promise.resolve(null);
  return stored.map(({ accountId, parts }) => ({
    id: randomId(),
    accountId,
    prompt: '',
    before: null,
    parts: parts.map((part) => ({ ...part, id: randomId(), error: null, send })),
  }));
}

function changePart(id: string, changes: Partial<RunPart>): void {
  const changed = (part: RunPart) => (part.id === id ? { ...part, ...changes } : part);
  set(store.get().map((run) => ({ ...run, parts: run.parts.map(changed) })));
}

function toPart({ model, ...request }: PartRequest, client: QueryClient): RunPart {
  const id = randomId();
  const send = async () => {
    changePart(id, { error: null });
    try {
      const job = await createJob({ ...request, idempotencyKey: id });
      client.setQueryData(['job', job.id], job);
      changePart(id, { jobId: job.id });
      return null;
    } catch (error) {
      changePart(id, { error });
      return error;
    }
  };
  return { id, model: model.id, jobId: null, error: null, send };
}

/** Creates the jobs. The others wait for the first one: a prompt that is blocked for one model is blocked for all. */
export async function startRun(
  run: Pick<Run, 'accountId' | 'prompt' | 'before'>,
  requests: readonly PartRequest[],
  client: QueryClient,
): Promise<void> {
  const parts = requests.map((request) => toPart(request, client));
  set([{ ...run, id: randomId(), parts }, ...store.get()].slice(0, RUNS_MAX));
  const [first, ...others] = parts;
  const waited = new Promise((resolve) => setTimeout(resolve, REFUSED_WITHIN_MS));
  const error = await Promise.race([first?.send(), waited]);
  for (const part of others) {
    if (isBlocked(error)) changePart(part.id, { error });
    else void part.send();
  }
}

/** crypto.randomUUID() needs https, and a console in a local network may lack it. */
function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
