import type { ComputeProvider } from '../compute-provider.port';
import type { ConformanceHarness, Subject } from '../conformance/conformance-harness.fixtures';
import { providerServices } from '../conformance/trial.fixtures';
import { FakeRunpod } from './fake-runpod.fixtures';
import { RunpodSettings } from './runpod-settings';
import { runpodType } from './runpod.provider';

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

/** The parts of the harness that are the same for every worker. */
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
    sent_twice: 'RunPod accepts no id of the client, and makes a job of each submission.',
    accepted_with_errors: 'RunPod answers a submission with a job or with an error.',
    aborted_at_work: 'The work continues after the request.',
    clock_skew: 'A job has a duration, and the adapter reads no timestamps.',
    server_paths: 'Only addresses and files are read from an output.',
    previews: 'The workers return results only.',
    callback_forged: 'RunPod signs no callbacks: the address alone authenticates one, and the job is polled.',
  },
};
