import { type JobPendingError, KinoraError } from './errors';
import { Kinora } from './kinora';
import type { Job, JobProgress } from './resources';
import { ScriptedApi, type ScriptedAnswer, vectors } from './scripted-api.fixtures';

interface ExpectedError {
  class: string;
  code: string;
  job_id?: string;
  cause?: string;
}
interface Case {
  title: string;
  options: {
    timeout_seconds?: number;
    max_retries?: number;
    abort_after_updates?: number;
    cancel_on_abort?: boolean;
  };
  exchange: {
    request: { method: string; path: string; headers: Record<string, Expected> };
    answer: ScriptedAnswer;
  }[];
  result: { status?: string; error?: ExpectedError; resumed?: { status: string } };
  updates: JobProgress[] | null;
}

const { job_id, cases } = vectors<Case, { job_id: string }>('waiting');

describe('a wait for a job', () => {
  let api: ScriptedApi;
  beforeAll(async () => (api = await ScriptedApi.start()));
  afterAll(() => api.close());

  it.each(cases)('$title', async ({ options, exchange, result, updates }) => {
    api.play(...exchange.map(({ answer }) => answer));
    const kinora = new Kinora({ apiKey: 'knr_test_x', baseURL: api.baseURL, maxRetries: options.max_retries ?? 2 });
    const abort = new AbortController();
    const seen: JobProgress[] = [];
    const outcome = await kinora.jobs
      .wait(job_id, {
        ...(options.timeout_seconds !== undefined && { timeout: options.timeout_seconds * 1_000 }),
        cancelOnAbort: options.cancel_on_abort,
        signal: abort.signal,
        onUpdate: (progress) => {
          seen.push(progress);
          if (seen.length === options.abort_after_updates) abort.abort();
        },
      })
      .catch((error: unknown) => error);
    if (result.error) expect(factsOf(outcome)).toMatchObject(result.error);
    else expect(outcome).toMatchObject({ id: job_id, status: result.status });
    if (result.resumed) {
      const resumed = await (outcome as JobPendingError).resume({ timeout: 30_000 });
      expect(resumed.status).toBe(result.resumed.status);
    }
    if (updates) expect(seen).toEqual(updates);
    expect(api.requests.map(({ method, path }) => ({ method, path }))).toEqual(
      exchange.map(({ request: { method, path } }) => ({ method, path })),
    );
    exchange.forEach(({ request }, index) => {
      const { headers } = api.requests[index] ?? {};
      for (const [name, value] of Object.entries(request.headers))
        expect({ index, name, value: shown(headers?.[name], value) }).toEqual({ index, name, value });
    });
  });
});

type Expected = string | string[] | null;

/** What is expected, if the header is one of it. */
function shown(actual: string | string[] | undefined, expected: Expected): Expected {
  const isExpected = Array.isArray(expected) ? expected.includes(String(actual)) : expected === 'present' && !!actual;
  return isExpected ? expected : (actual ?? null);
}

function factsOf(error: unknown): unknown {
  if (!(error instanceof KinoraError)) return error;
  const { name, code, cause } = error;
  const job_id = (error as { jobId?: string }).jobId ?? (error as { job?: Job }).job?.id;
  return { class: name, code, job_id, ...(cause instanceof KinoraError && { cause: cause.name }) };
}
