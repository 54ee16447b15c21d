import { Handles, OnEvent } from '@kinora/bus';
import { event, rpc } from '@kinora/contracts/shared/contract';
import { contractProblems } from './completeness';
import type { Contract, DeclaredContract } from '../../deploy/build/generate/contracts/declared-contracts';
import { type Handler, handlersOf } from '../../deploy/build/generate/contracts/handlers';

const getJob = rpc<{ job_id: string }, { id: string }>('jobs.v1.get', { timeoutMs: 5_000, errors: [] });
const FINISHED = 'jobs.v1.event.job_finished';
const jobFinished = event<{ id: string }>(FINISHED);

const declare = (contract: Contract, context = 'jobs'): DeclaredContract => ({
  context,
  file: `libs/contracts/src/${context}/${context}.rpc.ts`,
  table: `${context}Rpc`,
  key: 'get',
  contract,
});
const handle = (subject: string, app = 'jobs'): Handler => ({
  app,
  file: `apps/${app}/src/${app}.controller.ts`,
  subject,
  method: 'JobsController.get',
});

describe('contract problems', () => {
  it.each<[problem: string, declared: DeclaredContract[], handled: Handler[]]>([
    ['jobs.v1.get has no handler', [declare(getJob)], []],
    ['jobs.v1.get has several handlers', [declare(getJob)], [handle('jobs.v1.get'), handle('jobs.v1.get', 'billing')]],
    ['jobs.v1.get is answered by billing', [declare(getJob)], [handle('jobs.v1.get', 'billing')]],
    ['has several handlers in jobs', [declare(jobFinished)], [handle(FINISHED), handle(FINISHED)]],
    ['which no contract declares', [declare(getJob)], [handle('jobs.v1.get'), handle('jobs.v1.got')]],
    ['jobs.v1.get is declared twice', [declare(getJob), declare(getJob)], [handle('jobs.v1.get')]],
    ['among the contracts of billing', [declare(getJob, 'billing')], [handle('jobs.v1.get', 'billing')]],
    ['not the form of an event', [declare({ ...jobFinished, subject: 'jobs.v1.over' })], [handle('jobs.v1.over')]],
  ])('report: %s', (problem, declared, handled) => {
    expect(contractProblems(declared, handled)).toEqual([expect.stringContaining(problem)]);
  });

  it('have no problem where each context answers its requests and any app handles an event', () => {
    const declared = [
      declare(getJob),
      declare(jobFinished),
      declare(rpc('webhooks.v1.list', { timeoutMs: 1, errors: [] }), 'webhooks'),
    ];
    const handled = [
      handle('jobs.v1.get'),
      handle(FINISHED, 'billing'),
      handle(FINISHED, 'webhook-dispatcher'),
      handle('webhooks.v1.list', 'webhook-dispatcher'),
    ];
    expect(contractProblems(declared, handled)).toEqual([]);
  });
});

describe('handlers', () => {
  it('are the methods of exported controllers that a contract decorates', () => {
    class JobsController {
      @Handles(getJob)
      async get(ref: { job_id: string }): Promise<{ id: string }> {
        return { id: ref.job_id };
      }

      @OnEvent(jobFinished)
      async finish(_job: { id: string }, _delivery: { messageId: string }): Promise<void> {}

      async other(): Promise<void> {}
    }
    const file = 'apps/jobs/src/jobs.controller.ts';
    expect(handlersOf(file, { JobsController, limit: 1 })).toEqual([
      { app: 'jobs', file, subject: 'jobs.v1.get', method: 'JobsController.get' },
      { app: 'jobs', file, subject: 'jobs.v1.event.job_finished', method: 'JobsController.finish' },
    ]);
  });
});
