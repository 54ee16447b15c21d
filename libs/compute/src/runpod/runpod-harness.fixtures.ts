import type { ComputeProvider } from '../compute-provider.port';
import type { ConformanceHarness, Subject } from '../conformance/conformance-harness.fixtures';
import { providerServices } from '../conformance/provider-services.fixtures';
import { FakeRunpod } from './fake-runpod.fixtures';
import { RunpodSettings } from './runpod-settings';
import { runpodType } from './runpod-type';

/** An endpoint, and an instance that talks to it. */
export async function startEndpoint(
  worker: RunpodSettings['worker'],
  templatesDir: string,
  headers: Record<string, string> = {},
): Promise<Subject & { backend: FakeRunpod; provider: ComputeProvider }> {
  const backend = new FakeRunpod();
  const url = await backend.start();
  const settings = Object.assign(new RunpodSettings(), { worker });
  const instance = { id: 'runpod', url, headers, concurrency: 32 };
  return { backend, provider: runpodType.create(instance, settings, providerServices(templatesDir)) };
}

/** What holds for an endpoint whatever its worker. */
export const ENDPOINT: Omit<ConformanceHarness, 'start'> = {
  statusWords: {
    IN_QUEUE: 'queued',
    IN_PROGRESS: 'running',
    RUNNING: 'running',
    FAILED: 'failed',
    TIMED_OUT: 'failed',
    CANCELLED: 'canceled',
  },
  requestsFor500: 500,
  capacity: { concurrency: 1, interleaves: false },
  callbacks: () => {
    const body = Buffer.from('{"id":"some-job-u1","status":"COMPLETED"}');
    return Promise.resolve({ genuine: { headers: {}, body }, forged: {} });
  },
  cannot: {
    sent_twice: 'RunPod has no id of ours, and makes a job of each submission.',
    accepted_with_errors: 'RunPod answers a submission with a job or with an error.',
    aborted_at_work: 'The work goes on when the request is over.',
    clock_skew: 'A job says how long it took, and no time of a clock is read.',
    server_paths: 'Only addresses and files themselves are read of an output.',
    previews: 'The workers give results only.',
    callback_forged: 'RunPod signs nothing: whoever knows the address is believed, and the job is read again.',
  },
};
