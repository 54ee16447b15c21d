import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import type { ComputeProvider } from '@kinora/compute';
import { IMAGE } from '@kinora/compute/fixtures';
import { CredentialReader, CredentialsConfig, makeLocalAuthority } from '@kinora/credentials';
import { PROGRAM } from '@kinora/credentials/fixtures';
import { Egress, EgressAllowList } from '@kinora/egress';
import { register } from '@kinora/metrics';
import { FileObjectStore } from '@kinora/object-store';
import { createTestLog, HttpsReceiver, type ReceiverAnswer, RECEIVER_AUTHORITY_FILE } from '@kinora/testing';
import type { AttemptRow } from '../attempt/attempt.row';
import type { JobRow } from '../job/job.entity';
import { ExampleMarker, readMark } from '../../test/example-marker.fixtures';
import { JobsConfig } from '../jobs.config';
import { OutputCredentials } from './output-credentials';
import { OutputIntake } from './output-intake';
import { OutputMarker } from './output-marker';

const [OURS, HOSTED] = ['Ours', 'A hosted model'].map((name) => makeLocalAuthority(name, new Date()));
const AUTHORITY = readFileSync(RECEIVER_AUTHORITY_FILE, 'utf8');
const provider = {
  id: 'gpu-a',
  provenance: 'trainedAlgorithmicMedia',
  seededOutputs: () => 'each',
} as unknown as ComputeProvider;
const input = { prompt: 'a secret prompt', n: 1, seed: 5, size: '128x100', output_format: 'png' };
const job = {
  id: '01890000-0000-7000-8000-000000000000',
  account_id: 'acct_of_the_client',
  kind: 'image.generation',
  model: 'general-image',
  images: [],
  plan: { loras: [], routes: [] },
  input,
} as unknown as JobRow;

describe('content credentials of outputs', () => {
  let store: FileObjectStore;
  let folder: string;
  const closing: (() => Promise<unknown>)[] = [];
  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'kinora-credentials-'));
    store = new FileObjectStore(folder);
  });
  afterEach(async () => {
    await Promise.all(closing.splice(0).map((close) => close()));
    await rm(folder, { recursive: true });
  });

  const credentialsOf = (authority = OURS, settings: Partial<CredentialsConfig> = {}) => {
    const key = { certificate: authority?.certificatePem ?? '', key: authority?.keyPem ?? '' };
    const credentials = Object.assign(new CredentialsConfig(), key, settings);
    const config = Object.assign(new JobsConfig(), { credentials, credentialProgram: PROGRAM });
    const egress = new Egress({ allow: EgressAllowList.parse('127.0.0.0/8'), authority: AUTHORITY });
    const made = new OutputCredentials(store, egress, config, createTestLog().logger);
    closing.push(() => made.onApplicationShutdown());
    return made;
  };
  let attempts = 0;
  const takeWith = async (credentials: OutputCredentials, of: JobRow, made: Buffer = IMAGE, markerUrl = '') => {
    const config = Object.assign(new JobsConfig(), { outputsMaxBytes: 2 ** 24, markerUrl });
    const { logger } = createTestLog();
    const intake = new OutputIntake(store, new OutputMarker(config, logger), credentials, logger, config);
    const attempt = { job_id: of.id, number: ++attempts, fence: 1 } as AttemptRow;
    const [stored] = await intake.take(provider, attempt, of, [() => Promise.resolve(made)]);
    return store.get(stored?.object_key ?? '');
  };
  const read = (file: Buffer) => {
    const reader = new CredentialReader({ ownPem: OURS?.certificatePem ?? '' }, PROGRAM);
    closing.push(() => reader.close());
    return reader.readCredential(file, 'image/png');
  };

  it('says what made an output, and nothing of its client', async () => {
    const file = await takeWith(credentialsOf(), job);
    expect(await read(file)).toMatchObject({
      valid: true,
      ours: true,
      model: 'general-image',
      digitalSourceType: 'trainedAlgorithmicMedia',
      ingredients: [],
    });
    for (const secret of [input.prompt, job.account_id]) expect(file.includes(secret)).toBe(false);
  });

  it('keeps the credentials that a backend and an input bring along, and says which it cannot read', async () => {
    const hosted = await takeWith(credentialsOf(HOSTED), job);
    const broken = Buffer.from(hosted);
    broken.fill(0, broken.indexOf('c2pa') + 40, broken.indexOf('c2pa') + 400);
    await store.put('inputs/a.png', hosted, { mime: 'image/png' });
    await store.put('inputs/b.png', broken, { mime: 'image/png' });
    const images = [{ object_key: 'inputs/a.png' }, { object_key: 'inputs/b.png' }];
    const edit = { ...job, kind: 'image.edit', images } as unknown as JobRow;
    const credentials = credentialsOf();
    const edited = await takeWith(credentials, edit);
    expect((await read(edited))?.ingredients).toMatchObject([
      { title: 'Input image 1', valid: true, signer: 'A hosted model' },
      { title: 'Input image 2', valid: null, signer: null },
    ]);
    expect(edited.includes('dropped_credentials')).toBe(true);
    const passedOn = await takeWith(credentials, job, hosted);
    expect(await read(passedOn)).toMatchObject({
      valid: true,
      signer: 'Ours',
      ingredients: [{ title: 'Output of the backend', valid: true, signer: 'A hosted model' }],
    });
  });

  it('says of an output that it was marked, and no more that its pixels are those of the backend', async () => {
    const marker = await ExampleMarker.start();
    closing.push(() => marker.close());
    const plan = { loras: [], routes: [{ provider: 'gpu-a', weight: 1, marker: 'http' }] };
    const hosted = await takeWith(credentialsOf(HOSTED), job);
    const file = await takeWith(credentialsOf(), { ...job, plan } as unknown as JobRow, hosted, `${marker.url}/mark`);
    expect(await readMark(file)).toMatchObject({ detected: true });
    expect(await read(file)).toMatchObject({ valid: true, ours: true, ingredients: [{ signer: 'A hosted model' }] });
    for (const action of ['c2pa.edited', 'c2pa.watermarked']) expect(file.includes(action)).toBe(true);
    expect(file.includes('c2pa.repackaged')).toBe(false);
  });

  it.each<[string, RequestListener]>([
    ['answers with an error', (_, response) => void response.writeHead(500).end()],
    ['never answers', () => undefined],
    ['answers with text', (_, response) => void response.end('no JSON')],
    ['lies', (_, response) => void response.end(JSON.stringify({ signature_hex: '5'.repeat(128) }))],
  ])('stores an output without credentials where the signer %s, and counts it', async (_, answer) => {
    const signer = createServer(answer).listen(0, '127.0.0.1');
    closing.push(() => new Promise((resolve) => void signer.close(resolve).closeAllConnections()));
    await once(signer, 'listening');
    const signerUrl = `http://127.0.0.1:${(signer.address() as AddressInfo).port}`;
    await expectUnsigned(signerUrl);
  });

  it('stores an output without credentials where the signer is away, and counts it', () =>
    expectUnsigned('http://127.0.0.1:1'));

  async function expectUnsigned(signerUrl: string): Promise<void> {
    const before = await unsigned('failed');
    expect(await read(await takeWith(credentialsOf(OURS, { signerUrl }), job))).toBeNull();
    expect(await unsigned('failed')).toBe(before + 1);
  }

  it('signs nothing with an expired certificate, and counts it', async () => {
    const before = await unsigned('expired');
    const expired = makeLocalAuthority('Ours', new Date('2015-01-01'));
    expect(await read(await takeWith(credentialsOf(expired), job))).toBeNull();
    expect(await unsigned('expired')).toBe(before + 1);
  });

  describe.each<[string, ReceiverAnswer | null]>([
    ['is away', null],
    ['answers with an error', (_, response) => response.writeHead(500).end()],
    ['never answers', () => undefined],
    ['lies', (_, response) => response.end('no time stamp')],
  ])('where the time stamp authority %s', (_, answer) => {
    const takeStamped = async (timeStamps: CredentialsConfig['timeStamps']) => {
      const authority = await HttpsReceiver.start();
      const tsaUrl = `https://127.0.0.1:${authority.port}/tsa`;
      if (answer) closing.push(() => authority.close());
      else await authority.close();
      authority.answer = answer ?? authority.answer;
      return takeWith(credentialsOf(OURS, { tsaUrl, timeStamps }), job);
    };

    it('stores nothing if a time stamp is required', async () => {
      await expect(takeStamped('required')).rejects.toMatchObject({ name: 'TimeStampMissing' });
      const pages = [];
      for await (const page of store.list('outputs')) pages.push(...page);
      expect(pages).toEqual([]);
    });

    it('signs without one if it is preferred, and counts that', async () => {
      const before = await counted('kinora_output_time_stamps_missing_total');
      expect(await read(await takeStamped('preferred'))).toMatchObject({ valid: true, ours: true });
      expect(await counted('kinora_output_time_stamps_missing_total')).toBe(before + 1);
    });
  });
});

const unsigned = (reason: string) => counted('kinora_outputs_unsigned_total', reason);

async function counted(name: string, reason?: string): Promise<number> {
  const metric = await register.getSingleMetric(name)?.get();
  return metric?.values.find(({ labels }) => labels['reason'] === reason)?.value ?? 0;
}
