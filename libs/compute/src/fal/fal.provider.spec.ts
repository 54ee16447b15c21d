import { readFileSync } from 'node:fs';
import { Egress, EgressAllowList } from '@kinora/egress';
import { RECEIVER_AUTHORITY_FILE } from '@kinora/testing';
import type { ComputeProvider, UpstreamTask } from '../compute-provider.port';
import type { ConformanceHarness } from '../conformance/conformance-harness.fixtures';
import { describeConformance } from '../conformance/describe-conformance.fixtures';
import { providerServices, Trial } from '../conformance/trial.fixtures';
import { TEMPLATE_BY_OPERATION, TemplatesFolder } from '../hosted-model/received-input.fixtures';
import { FakeFal, FakeFalKeys } from './fake-fal.fixtures';
import { FalSettings } from './fal-result';
import { falType } from './fal.provider';

describe('fal', () => {
  let folder: TemplatesFolder;
  let keys: FakeFalKeys;
  let backend: FakeFal;
  let provider: ComputeProvider;

  beforeAll(async () => {
    folder = await TemplatesFolder.create('fal', 'fal-ai/flux/dev');
    keys = await FakeFalKeys.start();
  });
  afterAll(() => Promise.all([folder.remove(), keys.receiver.close()]));

  async function start(headers: Record<string, string> = {}): Promise<{ backend: FakeFal; provider: ComputeProvider }> {
    backend = new FakeFal();
    const url = await backend.start();
    const settings = Object.assign(new FalSettings(), { jwks_url: keys.url });
    const authority = readFileSync(RECEIVER_AUTHORITY_FILE, 'utf8');
    const egress = new Egress({ allow: EgressAllowList.parse('127.0.0.0/8'), authority });
    const instance = { id: 'fal', url, headers, concurrency: 32 };
    provider = falType.create(instance, settings, { ...providerServices(folder.path), egress });
    return { backend, provider };
  }

  const harness: ConformanceHarness = {
    start,
    templates: TEMPLATE_BY_OPERATION,
    statusWords: { IN_QUEUE: 'queued', IN_PROGRESS: 'running' },
    requestsFor500: 500,
    callbacks: () => {
      const genuine = keys.callback({ request_id: 'abc', status: 'OK' });
      const old = keys.callback({ request_id: 'abc' }, Date.now() - 600_000);
      const unsigned = { ...genuine, headers: {} };
      const altered = { ...genuine, body: Buffer.from('{"request_id":"other"}') };
      const garbled = { ...genuine, headers: { ...genuine.headers, 'x-fal-webhook-signature': 'ff'.repeat(64) } };
      return Promise.resolve({ genuine, forged: { old, unsigned, altered, garbled } });
    },
    cannot: {
      sent_twice: 'The queue accepts no id of the client, and makes a request of each submission.',
      accepted_with_errors: 'The queue answers a submission with a request or with an error.',
      aborted_at_work: 'The work continues after the request.',
      previews: 'A result has files only.',
      server_paths: 'Files are URLs; other fields are not read.',
      clock_skew: 'The queue reports a duration, and the adapter reads no timestamps.',
    },
  };
  describeConformance('fal', harness);

  describe('adapter', () => {
    let trial: Trial;
    beforeEach(async () => {
      trial = new Trial(harness, await start());
    });
    afterEach(async () => {
      await provider.close();
      await backend.stop();
    });

    const submitted = async (): Promise<UpstreamTask> => trial.upstream(await trial.send());

    it('reports the place in the queue of fal, and no progress', async () => {
      const upstream = await submitted();
      expect(await trial.statusOf(upstream)).toEqual({ state: 'queued', queuedAhead: 2 });
      backend.begin();
      expect(await trial.statusOf(upstream)).toEqual({ state: 'running' });
    });

    it('requests a callback, and the deletion of outputs', async () => {
      await trial.submit(trial.imageTask({ callbackUrl: 'https://kinora.example/callbacks/fal/token' }));
      expect(backend.requests[0]).toMatchObject({
        path: '/fal-ai/flux/dev?fal_webhook=https%3A%2F%2Fkinora.example%2Fcallbacks%2Ffal%2Ftoken',
        headers: { 'x-fal-object-lifecycle-preference': '{"expiration_duration_seconds":3600}' },
      });
    });

    it('polls at the URLs that fal returns, and at the usual ones where those have another origin', async () => {
      const own = await submitted();
      const [requestId] = backend.tasks.keys();
      expect(own.ref?.['status_url']).toBe(`${backend.url}/fal-ai/flux/requests/${requestId}/status`);
      backend.addressesBase = 'https://elsewhere.example';
      const foreign = await submitted();
      expect(JSON.stringify(foreign.ref)).not.toContain('elsewhere');
      backend.begin();
      expect(await trial.statusOf(foreign)).toEqual({ state: 'running' });
    });

    it('finds a request without an answer by its callback', async () => {
      backend.inject({ kind: 'lose_answers' });
      const lost = trial.imageTask();
      expect(await trial.submit(lost)).toMatchObject({ kind: 'unknown' });
      expect(await trial.statusOf({ id: lost.id, ref: null })).toEqual({ state: 'unreachable' });
      const [requestId = ''] = backend.tasks.keys();
      const callback = keys.callback({ request_id: requestId, status: 'OK' });
      expect(await provider.verifyCallback?.(callback)).toBe(true);
      const upstream = { id: lost.id, ref: provider.refOfCallback?.(callback) ?? null };
      expect(await trial.statusOf(upstream)).toEqual({ state: 'queued', queuedAhead: 2 });
      expect(await provider.cancel(upstream)).toBe('stopped');
    });

    it('reports a blackened image as content_rejected, with the duration of the work', async () => {
      const upstream = await submitted();
      backend.finish();
      expect(await trial.statusOf(upstream)).toMatchObject({ state: 'succeeded', gpuMs: 1_250 });
      backend.flags = [true];
      expect(await trial.statusOf(upstream)).toMatchObject({ state: 'failed', failure: { kind: 'content_rejected' } });
    });

    it("ignores another request's status, and waits for a result that is not there yet", async () => {
      const upstream = await submitted();
      backend.finish();
      backend.isResultLate = true;
      expect(await trial.statusOf(upstream)).toEqual({ state: 'unreachable' });
      backend.isResultLate = false;
      backend.knownId = 'another';
      expect(await trial.statusOf(upstream)).toEqual({ state: 'unreachable' });
      backend.knownId = null;
      expect(await trial.statusOf(upstream)).toMatchObject({ state: 'succeeded' });
    });

    it('reports a request that the model refuses as invalid_input', async () => {
      const upstream = await submitted();
      backend.end('result_is_error');
      expect(await trial.statusOf(upstream)).toMatchObject({ state: 'failed', failure: { kind: 'invalid_input' } });
    });

    it('fetches the keys once, and not again immediately for a signature that none of them verifies', async () => {
      keys.receiver.requests.length = 0;
      const three = [keys.callback({}), keys.callback({}), keys.callback({})];
      for (const callback of three) expect(await provider.verifyCallback?.(callback)).toBe(true);
      keys.rotate();
      // Keys younger than a minute are not fetched again: forged callbacks must not cause unlimited fetches.
      expect(await provider.verifyCallback?.(keys.callback({}))).toBe(false);
      expect(keys.receiver.requests).toHaveLength(1);
    });

    it('accepts no callback while the keys cannot be fetched, and fetches them again', async () => {
      keys.receiver.answer = (_request, response) => response.writeHead(503).end();
      const published = keys.callback({});
      expect(await provider.verifyCallback?.(published)).toBe(false);
      keys.publish();
      expect(await provider.verifyCallback?.(published)).toBe(true);
    });
  });
});
