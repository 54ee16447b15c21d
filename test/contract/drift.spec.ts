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

interface Drift {
  drift: string;
  refused: string;
  /** The expected compiler error, so that a snippet cannot fail for an unrelated mistake. */
  says: RegExp;
  allowed: string;
}

const DRIFTS: Drift[] = [
  {
    drift: 'a handler that reads a field under another name',
    refused: handler(
      `@Handles(getJob) async get(ref: { account_id: string; id: string }): Promise<Job> { return { id: ref.id, status: 'queued' }; }`,
    ),
    says: /Property 'id' is missing in type 'JobRef'/,
    allowed: handler(
      `@Handles(getJob) async get(ref: JobRef): Promise<Job> { return { id: ref.job_id, status: 'queued' }; }`,
    ),
  },
  {
    drift: 'a handler that leaves a field out of its answer',
    refused: handler(`@Handles(getJob) async get(ref: JobRef): Promise<{ id: string }> { return { id: ref.job_id }; }`),
    says: /'status' is missing in type '\{ id: string; \}'/,
    allowed: handler(`@Handles(getJob) async get(_: JobRef): Promise<Job> { return { id: '1', status: 'queued' }; }`),
  },
  {
    drift: 'a handler that answers without a promise',
    refused: handler(`@Handles(getJob) get(ref: JobRef): Job { return { id: ref.job_id, status: 'queued' }; }`),
    says: /'Job' is missing the following properties from type 'Promise<Job>'/,
    allowed: handler(
      `@Handles(getJob) get(ref: JobRef): Promise<Job> { return Promise.resolve({ id: ref.job_id, status: 'queued' }); }`,
    ),
  },
  {
    drift: 'a handler that answers more than the contract declares',
    refused: handler(`@Handles(getJob) async get(ref: JobRef): Promise<JobRow> { return { ...row, id: ref.job_id }; }`),
    says: /Property 'provider_secret' is missing in type 'Job'/,
    allowed: handler(
      `@Handles(getJob) async get(ref: JobRef): Promise<Job> { return { id: ref.job_id, status: row.status }; }`,
    ),
  },
  {
    drift: 'a handler of another event payload',
    refused: handler(
      `@OnEvent(jobFinished) async finish(job: { job_id: string }, delivery: EventDelivery): Promise<void> { void [job, delivery]; }`,
    ),
    says: /Property 'job_id' is missing in type 'Job'/,
    allowed: handler(
      `@OnEvent(jobFinished) async finish(job: Job, delivery: EventDelivery): Promise<void> { void [job, delivery]; }`,
    ),
  },
  {
    drift: 'an event handler that does not await its own work',
    refused: handler(`@OnEvent(jobFinished) finish(job: Job, delivery: EventDelivery): void { void [job, delivery]; }`),
    says: /Type 'void' is not assignable to type 'Promise<void>'/,
    allowed: handler(`@OnSignal(jobQueued) async wake(ref: JobRef): Promise<void> { void ref; }`),
  },
  {
    drift: 'a caller that forgets a field',
    refused: caller(`await bus.request(getJob, { job_id: '1' });`),
    says: /'account_id' is missing/,
    allowed: caller(`await bus.request(getJob, { account_id: '1', job_id: '1' });`),
  },
  {
    drift: 'a caller that sends a field that the contract does not have',
    refused: caller(`await bus.request(getJob, { account_id: '1', job_id: '1', verbose: true });`),
    says: /'verbose' does not exist in type/,
    allowed: caller(`await bus.request(getJob, { account_id: '1', job_id: '1' });`),
  },
  {
    drift: 'a caller that reads a field that the answer lacks',
    refused: caller(`const job = await bus.request(getJob, { account_id: '1', job_id: '1' }); void job.state;`),
    says: /Property 'state' does not exist on type 'Job'/,
    allowed: caller(`const job = await bus.request(getJob, { account_id: '1', job_id: '1' }); void job.status;`),
  },
  {
    drift: 'a signal with another payload',
    refused: caller(`bus.signal(jobQueued, { id: '1' });`),
    says: /'id' does not exist in type 'JobRef'/,
    allowed: caller(`bus.signal(jobQueued, { account_id: '1', job_id: '1' });`),
  },
  {
    drift: 'a contract that lists an error that the table lacks',
    refused: `export const other = rpc<JobRef, Job>('jobs.v1.other', { timeoutMs: 5_000, errors: ['not_fuond'] });`,
    says: /'"not_fuond"' is not assignable/,
    allowed: `export const other = rpc<JobRef, Job>('jobs.v1.other', { timeoutMs: 5_000, errors: ['not_found'] });`,
  },
  {
    drift: 'an error that the table lacks',
    refused: `export const error = new ApiError('insuficient_balance', 'Top up.');`,
    says: /'"insuficient_balance"' is not assignable/,
    allowed: `export const error = new ApiError('insufficient_balance', 'Top up.');`,
  },
];

describe('a contract, its handler and its callers', () => {
  let diagnostics: string[][];

  beforeAll(() => {
    diagnostics = compileSnippets(DRIFTS.flatMap(({ refused, allowed }) => [CONTRACT + refused, CONTRACT + allowed]));
  });

  it.each(DRIFTS.map((drift, index) => ({ ...drift, index })))('do not compile with $drift', ({ says, index }) => {
    const [refused, allowed] = diagnostics.slice(2 * index, 2 * index + 2);
    expect(refused).toEqual([expect.stringMatching(says)]);
    expect(allowed).toEqual([]);
  });
});
