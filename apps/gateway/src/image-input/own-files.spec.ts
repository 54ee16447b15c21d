import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { INPUT_BOUNDS } from '@kinora/images';
import { JOB } from '../../test/contexts.fixtures';
import { type TestGateway, useGateway } from '../../test/gateway.fixtures';
import { greyPng } from '../../test/image.fixtures';
import type { TestResponse } from '../../test/http-client.fixtures';

const KEY = 'outputs/0192f3a0-0000-7000-8000-00000000000a/0.png';
const IMAGE = greyPng(80, 64);
const testBed = useGateway();
const { contexts } = testBed;
let elsewhere: TestGateway;

beforeAll(async () => {
  elsewhere = await testBed.startGateway({ KINORA_PROFILE: 'production', KINORA_PUBLIC_URL: 'https://gateway.test' });
  await testBed.gateway.objects.put(KEY, IMAGE, { mime: 'image/png' });
});
beforeEach(() => {
  contexts.on(jobsRpc.quote, () => ({ price_micros: 1000 }));
  contexts.on(jobsRpc.create, () => ({ job: JOB, replayed: false }));
});

const edit = (image: string, gateway = testBed.gateway): Promise<TestResponse> =>
  gateway.client.send('POST', '/v1/images/edits', { json: { prompt: 'warmer', image } });
const link = (lifetimeMs = 60_000, key = KEY): string =>
  testBed.gateway.signer.sign(key, new Date(Date.now() + lifetimeMs));

describe("a result's own link as an input", () => {
  it('is accepted on a local stack, without an HTTP request', async () => {
    expect((await edit(link())).status).toBe(202);
    const [request] = contexts.of(jobsRpc.create);
    if (request?.kind !== 'image.edit') throw new Error('jobs received no image.edit request');
    const [image] = request.images;
    expect(image).toMatchObject({ param: 'image', width: 80, height: 64, mime: 'image/png' });
    expect(await testBed.gateway.objects.get(image?.object_key ?? '')).toEqual(IMAGE);
    expect(image?.object_key).not.toBe(KEY);
  });

  it.each<[string, () => string]>([
    ['expired', () => link(-1_000)],
    ['forged', () => link().replace(/signature=..../, 'signature=AAAA')],
    ["moved to another job's folder", () => link().replace('00000000000a', '00000000000b')],
    ['to a file that is gone', () => link(60_000, KEY.replace('0.png', '1.png'))],
  ])('is refused if it is %s', async (_what, url) => {
    const { status, error } = await edit(url());
    expect({ status, ...error }).toMatchObject({ status: 400, code: 'invalid_body', param: 'image' });
    expect(error.message).toBe('image: there is no such file, or the link to it has expired');
    expect(contexts.of(jobsRpc.create)).toEqual([]);
  });

  it('is refused without reading a file that is larger than the input limit', async () => {
    const large = KEY.replace('0.png', '2.png');
    await testBed.gateway.objects.put(large, Buffer.alloc(INPUT_BOUNDS.maxBytes + 1), { mime: 'image/png' });
    const { status, error } = await edit(link(60_000, large));
    expect({ status, ...error }).toMatchObject({ status: 400, param: 'image', message: 'image: too large' });
    expect(contexts.of(jobsRpc.create)).toEqual([]);
  });

  it('does not bypass the egress policy of a stack that is not local', async () => {
    const own = elsewhere.signer.sign(KEY, new Date(Date.now() + 60_000));
    const { status, error } = await edit(own, elsewhere);
    expect({ status, ...error }).toMatchObject({ status: 400, code: 'invalid_body', param: 'image' });
    expect(contexts.of(jobsRpc.create)).toEqual([]);
  });
});
