import { compileSnippets } from '../support/compile-snippets';

/** The types that both sides of a contract share in the snippets below. */
const CONTRACT = `
  import { type Bus, type EventDelivery, Handles, OnSignal, OnEvent } from '@kinora/bus';
  import { event, rpc, signal } from '@kinora/contracts/shared/contract';
  import { ApiError } from '@kinora/contracts/shared/errors';
  interface JobRef { account_id: string; job_id: string }
  interface Job { id: string; status: 'queued' | 'canceled'; progress?: number }
  interface JobRow extends Job { provider_secret: string }
  const getJob = rpc<JobRef, Job>('jobs.v1.get', { timeoutMs: 5_000, errors: ['not_found'] });
  const jobFinished = event<Job>('jobs.v1.event.job_finished');
  const jobQueued = signal<JobRef>('jobs.v1.signal.job_queued');
  declare const bus: Bus;
  declare const row: JobRow;
  export { ApiError, Handles, OnSignal, OnEvent, bus, getJob, jobFinished, jobQueued, row };
  export type { EventDelivery };
`;

const handler = (method: string) => `export class JobsController { ${method} }`;
const caller = (statement: string) => `export async function call(): Promise<void> { ${statement} }`;
const SOUND = handler(`
  @Handles(getJob) async get(ref: JobRef): Promise<Job> { return { id: ref.job_id, status: row.status }; }
  @OnEvent(jobFinished) async finish(job: Job, delivery: EventDelivery): Promise<void> { void [job, delivery]; }
  @OnSignal(jobQueued) async wake(ref: JobRef): Promise<void> {
    const job = await bus.request(getJob, ref);
    bus.signal(jobQueued, { account_id: '1', job_id: job.status });
  }`);

/** What drifts, the code, and the compiler's error, so that a snippet cannot fail for an unrelated mistake. */
const DRIFTS: [drift: string, refused: string, says: RegExp][] = [
  [
    'a handler that reads a field under another name',
    handler(`@Handles(getJob) async get(ref: { account_id: string; id: string }): Promise<Job> { throw ref; }`),
    /Property 'id' is missing in type 'JobRef'/,
  ],
  [
    'a handler that leaves a field out of its answer',
    handler(`@Handles(getJob) async get(ref: JobRef): Promise<{ id: string }> { return { id: ref.job_id }; }`),
    /'status' is missing in type '\{ id: string; \}'/,
  ],
  [
    'a handler that answers without a promise',
    handler(`@Handles(getJob) get(ref: JobRef): Job { return { id: ref.job_id, status: 'queued' }; }`),
    /'Job' is missing the following properties from type 'Promise<Job>'/,
  ],
  [
    'a handler that answers more than the contract declares',
    handler(`@Handles(getJob) async get(ref: JobRef): Promise<JobRow> { return { ...row, id: ref.job_id }; }`),
    /Property 'provider_secret' is missing in type 'Job'/,
  ],
  [
    'a handler of another event payload',
    handler(
      `@OnEvent(jobFinished) async finish(job: { job_id: string }, _: EventDelivery): Promise<void> { throw job; }`,
    ),
    /Property 'job_id' is missing in type 'Job'/,
  ],
  [
    'an event handler that does not await its own work',
    handler(`@OnEvent(jobFinished) finish(job: Job, delivery: EventDelivery): void { void [job, delivery]; }`),
    /Type 'void' is not assignable to type 'Promise<void>'/,
  ],
  ['a caller that forgets a field', caller(`await bus.request(getJob, { job_id: '1' });`), /'account_id' is missing/],
  [
    'a caller that sends a field that the contract does not have',
    caller(`await bus.request(getJob, { account_id: '1', job_id: '1', verbose: true });`),
    /'verbose' does not exist in type/,
  ],
  [
    'a caller that reads a field that the answer lacks',
    caller(`const job = await bus.request(getJob, { account_id: '1', job_id: '1' }); void job.state;`),
    /Property 'state' does not exist on type 'Job'/,
  ],
  [
    'a signal with another payload',
    caller(`bus.signal(jobQueued, { id: '1' });`),
    /'id' does not exist in type 'JobRef'/,
  ],
  [
    'a contract that lists an error that the table lacks',
    `export const other = rpc<JobRef, Job>('jobs.v1.other', { timeoutMs: 5_000, errors: ['not_fuond'] });`,
    /'"not_fuond"' is not assignable/,
  ],
  [
    'an error that the table lacks',
    `export const error = new ApiError('insuficient_balance', 'Top up.');`,
    /'"insuficient_balance"' is not assignable/,
  ],
];

describe('a contract, its handler and its callers', () => {
  let sound: string[] | undefined;
  let diagnostics: string[][];

  beforeAll(() => {
    [sound, ...diagnostics] = compileSnippets(
      [SOUND, ...DRIFTS.map(([, refused]) => refused)].map((it) => CONTRACT + it),
    );
  });

  it('compile where they agree', () => {
    expect(sound).toEqual([]);
  });

  it.each(DRIFTS.map(([drift, , says], index) => ({ drift, says, index })))(
    'do not compile with $drift',
    ({ says, index }) => {
      expect(diagnostics[index]).toEqual([expect.stringMatching(says)]);
    },
  );
});
