import { describeConformance } from '../conformance/describe-conformance.fixtures';
import { providerServices } from '../conformance/trial.fixtures';
import { FakeSandbox, SANDBOX_CAPACITY } from './fake-sandbox.fixtures';
import { SandboxSettings, sandboxType } from './sandbox.provider';

describeConformance('sandbox', {
  start: async (headers) => {
    const backend = new FakeSandbox();
    const url = await backend.start();
    const instance = { id: 'sandbox', url, headers, concurrency: 10 };
    return { backend, provider: sandboxType.create(instance, new SandboxSettings(), providerServices()) };
  },
  statusWords: {
    queued: 'queued',
    running: 'running',
    failed: 'failed',
    succeeded: 'succeeded',
    canceled: 'canceled',
  },
  requestsFor500: 3,
  capacity: SANDBOX_CAPACITY,
  park: ({ backend }) => (backend as FakeSandbox).park(),
  reportProgress: ({ backend }, progress) => (backend as FakeSandbox).report(progress),
  cannot: {
    accepted_with_errors: 'The protocol has one answer to a submission: the task, or an error.',
    aborted_at_work: 'The work continues after the request.',
    out_of_memory: 'The protocol has no status for it.',
    content_rejected: 'The sandbox draws by code and has no filter.',
    result_is_error: 'The protocol reports an error by the state alone.',
    clock_skew: 'The protocol has no times.',
    previews: 'The protocol lists finished outputs only.',
    server_paths: 'Outputs have an index and no path.',
    callback_forged: 'The sandbox sends no callbacks.',
    callback_repeated: 'The sandbox sends no callbacks.',
  },
});
