import { Handles, OnEvent } from '@kinora/bus';
import { event, rpc } from '@kinora/contracts/shared/contract';
import { contractProblems } from './completeness';
import {
  type Contract,
  type DeclaredContract,
  declaredContracts,
} from '../../deploy/build/generate/contracts/declared-contracts';
import { type Handler, handlers, handlersOf } from '../../deploy/build/generate/contracts/handlers';

const getJob = rpc<{ job_id: string }, { id: string }>('jobs.v1.get', { timeoutMs: 5_000, errors: [] });
const jobFinished = event<{ id: string }>('jobs.v1.event.job_finished');

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

describe('contracts', () => {
  it('each have exactly one handler, in the app of their context', async () => {
    expect(contractProblems(await declaredContracts(), await handlers())).toEqual([]);
  });
});

describe('contract problems', () => {
  it.each([
    {
      declared: [declare(getJob)],
      handled: [],
      problem: "jobs.v1.get has no handler: add one to a controller that the app's module names.",
    },
    {
      declared: [declare(getJob)],
      handled: [handle('jobs.v1.get'), handle('jobs.v1.get', 'billing')],
      problem: 'jobs.v1.get has several handlers: JobsController.get, JobsController.get.',
    },
    {
      declared: [declare(getJob)],
      handled: [handle('jobs.v1.get', 'billing')],
      problem: 'jobs.v1.get is answered by billing: move the handler to the app of jobs.',
    },
    {
      declared: [declare(jobFinished)],
      handled: [handle('jobs.v1.event.job_finished'), handle('jobs.v1.event.job_finished')],
      problem: 'jobs.v1.event.job_finished has several handlers in jobs.',
    },
    {
      declared: [declare(getJob)],
      handled: [handle('jobs.v1.get'), handle('jobs.v1.got')],
      problem: 'JobsController.get handles jobs.v1.got, which no contract declares: export one from libs/contracts.',
    },
    {
      declared: [declare(getJob), declare(getJob)],
      handled: [handle('jobs.v1.get')],
      problem: 'jobs.v1.get is declared twice: give one of them another subject.',
    },
    {
      declared: [declare(getJob, 'billing')],
      handled: [handle('jobs.v1.get', 'billing')],
      problem:
        'jobs.v1.get is declared among the contracts of billing: move it to the folder that its subject begins with.',
    },
    {
      declared: [declare(event('jobs.v1.job_finished'))],
      handled: [handle('jobs.v1.job_finished')],
      problem: 'jobs.v1.job_finished has not the form of an event: rename the subject.',
    },
  ])('report that $problem', ({ declared, handled, problem }) => {
    expect(contractProblems(declared, handled)).toEqual([problem]);
  });

  it('have no problem where each context answers its requests and any app handles an event', () => {
    const declared = [
      declare(getJob),
      declare(jobFinished),
      declare(rpc('webhooks.v1.list', { timeoutMs: 1, errors: [] }), 'webhooks'),
    ];
    const handled = [
      handle('jobs.v1.get'),
      handle('jobs.v1.event.job_finished', 'billing'),
      handle('jobs.v1.event.job_finished', 'webhook-dispatcher'),
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
