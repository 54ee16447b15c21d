import { register } from '@kinora/metrics';
import { type CreateJobReply, type CreateJobRequest, jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import type { ApiError } from '@kinora/contracts/shared/errors';
import { v7 as uuidv7 } from 'uuid';
import { useJobs } from './jobs-service.fixtures';

type Outcome = CreateJobReply | string;

describe('creates that arrive together', () => {
  const jobs = useJobs('api');

  afterEach(() => {
    jobs.fakes.refusedAccounts.clear();
    jobs.fakes.screenGate = null;
  });

  const requestFor = (parts: Partial<CreateJobRequest> & { prompt?: string; key?: string } = {}): CreateJobRequest => ({
    kind: 'image.generation',
    account_id: parts.account_id ?? uuidv7(),
    input: { prompt: parts.prompt ?? 'a calm sea', ...(parts.prompt === 'too many' && { n: 99 }) },
    ...(parts.key !== undefined && {
      idempotency: { key: parts.key, route: 'POST /images/generations', body_sha256: 'same' },
    }),
  });

  const createOne = (request: CreateJobRequest): Promise<Outcome> =>
    jobs.bus.request(jobsRpc.create, request).catch((error: ApiError) => error.code);
  /** @returns the replies or error codes, in the order of the requests */
  const create = (requests: CreateJobRequest[]): Promise<Outcome[]> => Promise.all(requests.map(createOne));

  async function sent(subject: string): Promise<{ messages: number; requests: number }> {
    const shown = await register.getSingleMetricAsString('kinora_bus_requests_per_message');
    const read = (part: string): number =>
      Number(new RegExp(`_${part}\\{subject="${subject}"\\} (\\d+)`).exec(shown)?.[1] ?? 0);
    return { messages: read('count'), requests: read('sum') };
  }

  const idsOf = (outcomes: Outcome[]): unknown[] =>
    outcomes.map((outcome) => (typeof outcome === 'string' ? outcome : outcome.job.status));

  it('share the messages of their screening and of their reserves, each with an outcome of its own', async () => {
    const before = await Promise.all(['moderation.v1.screen_input', 'billing.v1.reserve'].map(sent));
    const [poor, invalid] = [requestFor(), requestFor({ prompt: 'too many' })];
    jobs.fakes.refusedAccounts.add(poor.account_id);
    const outcomes = await create([requestFor(), poor, invalid, requestFor()]);
    expect(idsOf(outcomes)).toEqual(['queued', 'insufficient_balance', 'invalid_body', 'queued']);
    const after = await Promise.all(['moderation.v1.screen_input', 'billing.v1.reserve'].map(sent));
    after.forEach(({ messages, requests }, place) => {
      expect(requests - (before[place]?.requests ?? 0)).toBe(3);
      expect(messages - (before[place]?.messages ?? 0)).toBeLessThan(3);
    });
  });

  it('do not wait for one whose screening is slow', async () => {
    let open: () => void = () => undefined;
    jobs.fakes.screenGate = { prompt: 'slow', until: new Promise((resolve) => (open = resolve)) };
    const [slow, fast] = ['slow', 'fast'].map((prompt) => createOne(requestFor({ prompt })));
    expect(await fast).toMatchObject({ job: { status: 'queued' } });
    open();
    expect(await slow).toMatchObject({ job: { status: 'queued' } });
  });

  it('are claimed, replayed or refused each by its own key', async () => {
    const account_id = uuidv7();
    const [first] = await create([requestFor({ account_id, key: 'one' })]);
    const poor = requestFor({ key: 'two' });
    jobs.fakes.refusedAccounts.add(poor.account_id);
    const outcomes = await create([
      requestFor({ account_id, key: 'one' }),
      requestFor({ account_id, key: 'three' }),
      poor,
      requestFor({ account_id }),
      requestFor({ account_id, key: 'three' }),
    ]);
    expect(idsOf(outcomes)).toEqual(['queued', 'queued', 'insufficient_balance', 'queued', 'queued']);
    const replies = outcomes.filter((outcome) => typeof outcome !== 'string');
    expect(replies.map(({ replayed }) => replayed)).toEqual([true, false, false, true]);
    expect(replies[0]?.job.id).toBe((first as CreateJobReply).job.id);
    expect(replies[3]?.job.id).toBe(replies[1]?.job.id);
    // The refusal has released the key.
    jobs.fakes.refusedAccounts.clear();
    expect(await create([poor])).toMatchObject([{ replayed: false }]);
  });
});
