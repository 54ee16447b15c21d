import { GetObjectCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { loadConfig } from '@kinora/service-kit';
import { TestS3, waitFor } from '@kinora/testing';
import { ObjectStoreConfig } from './object-store.config';
import { ObjectStoreUnavailable } from './object-store';
import { createDownloadLinks, createObjectStore } from './object-store.module';
import { createS3Client } from './s3-download-links';

const KEY = 'outputs/one/0.png';
const signing = { publicUrl: 'http://gateway.test', signingKey: 'a key' };

const configOf = (settings: Record<string, string>): ObjectStoreConfig => loadConfig(ObjectStoreConfig, settings);

describe('S3', () => {
  let s3: TestS3;

  beforeAll(async () => {
    s3 = await TestS3.start();
    const store = await createObjectStore(configOf(s3.settings));
    await store.put(KEY, Buffer.from('a picture'), { mime: 'image/png' });
  });
  afterAll(() => s3.close());

  const linkTo = async (key: string, expiresAt: Date, settings = {}): Promise<URL> => {
    const links = await createDownloadLinks(configOf({ ...s3.settings, ...settings }), signing);
    return new URL(await links.signLink(key, expiresAt));
  };

  it('separates objects by their prefix', async () => {
    const other = await createObjectStore(configOf({ ...s3.settings, KINORA_S3_PREFIX: 'another' }));
    expect(await other.stat(KEY)).toBeNull();
    expect((await other.list('outputs').next()).value).toEqual([]);
  });

  it('serves a link that is signed as the SDK signs', async () => {
    const expiresAt = new Date(Date.now() + 60_000);
    const link = await linkTo(KEY, expiresAt, { KINORA_S3_PREFIX: '' });
    const [, date = '', time = ''] = /^(\d{8})T(\d{6})Z$/.exec(link.searchParams.get('X-Amz-Date') ?? '') ?? [];
    const signedAt = [date.slice(0, 4), date.slice(4, 6), date.slice(6)].join('-');
    const signingDate = new Date(`${signedAt}T${time.replace(/(..)(..)/, '$1:$2:')}Z`);
    const expiresIn = Number(link.searchParams.get('X-Amz-Expires'));
    const command = new GetObjectCommand({
      Bucket: 'kinora',
      Key: KEY,
      ResponseContentDisposition: 'attachment; filename="0.png"',
    });
    const sdkLink = new URL(
      await getSignedUrl(createS3Client(configOf(s3.settings)), command, { signingDate, expiresIn }),
    );
    expect(link.origin + link.pathname).toBe(sdkLink.origin + sdkLink.pathname);
    expect(Object.fromEntries(link.searchParams)).toEqual(Object.fromEntries(sdkLink.searchParams));
    const response = await fetch(link);
    expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
      200,
      'image/png',
      'a picture',
    ]);
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="0.png"');
    expect(signingDate.getTime() + expiresIn * 1000).toBe(Math.floor(expiresAt.getTime() / 1000) * 1000);
  });

  it('signs the same link for the same times, so that an event is the same whenever it is built', async () => {
    const links = await createDownloadLinks(configOf(s3.settings), signing);
    const [now, end] = [new Date(Date.now() - 5_000), new Date(Date.now() + 60_000)];
    const link = await links.signLink(KEY, end, now);
    const others = [
      await links.signLink(KEY, end, now),
      await links.signLink(KEY, end, new Date(now.getTime() - 1_000)),
    ];
    expect(others.map((other) => other === link)).toEqual([true, false]);
    expect((await fetch(link)).status).toBe(200);
  });

  it('serves no link past its end', async () => {
    const link = await linkTo(KEY, new Date(Date.now() + 2_000));
    await waitFor(async () => (await fetch(link)).status === 403);
  });

  it('appears in links under the address that clients use, with the bucket in the host unless configured otherwise', async () => {
    const expiresAt = new Date(Date.now() + 60_000);
    const publicly = { KINORA_S3_PUBLIC_ENDPOINT: 'https://files.example.com', KINORA_S3_PREFIX: 'p' };
    const inHost = { KINORA_S3_PATH_STYLE: 'false', KINORA_S3_ENDPOINT: '', KINORA_S3_REGION: 'eu-central-1' };
    const places = [await linkTo(KEY, expiresAt, publicly), await linkTo(KEY, expiresAt, inHost)];
    expect(places.map(({ origin, pathname }) => origin + pathname)).toEqual([
      `https://files.example.com/kinora/p/${KEY}`,
      `https://kinora.s3.eu-central-1.amazonaws.com/${KEY}`,
    ]);
  });

  it('is unavailable without its bucket, and is not reported as empty', async () => {
    const store = await createObjectStore(configOf({ ...s3.settings, KINORA_S3_BUCKET: 'another' }));
    await expect(store.get(KEY)).rejects.toBeInstanceOf(ObjectStoreUnavailable);
    await expect(store.list('outputs').next()).rejects.toBeInstanceOf(ObjectStoreUnavailable);
  });

  it('is unavailable while no server answers', async () => {
    const gone = await TestS3.start();
    const store = await createObjectStore(configOf(gone.settings));
    await gone.close();
    const calls = await Promise.allSettled([
      store.put(KEY, Buffer.from('x'), { mime: 'image/png' }),
      store.get(KEY),
      store.open(KEY),
      store.stat(KEY),
      store.deleteMany([KEY]),
      store.list('outputs').next(),
    ]);
    const unavailable = { status: 'rejected', reason: expect.any(ObjectStoreUnavailable) as unknown };
    expect(calls).toEqual(calls.map(() => unavailable));
  });

  it.each([
    [{ KINORA_S3_BUCKET: 'A_Bucket' }, 'KINORA_S3_BUCKET'],
    [{ KINORA_S3_REGION: 'eu central' }, 'KINORA_S3_REGION'],
    [{ KINORA_S3_ENDPOINT: 'minio:9000' }, 'KINORA_S3_ENDPOINT'],
    [{ KINORA_S3_PREFIX: '/slashes/' }, 'KINORA_S3_PREFIX'],
    [{ KINORA_S3_SECRET_ACCESS_KEY: '' }, 'KINORA_S3_SECRET_ACCESS_KEY'],
    [{ KINORA_OBJECT_STORE: 'ftp' }, 'KINORA_OBJECT_STORE'],
    [{ KINORA_OBJECT_STORE: 'filesystem' }, 'KINORA_OBJECT_STORE_DIR'],
  ])('cannot be set to %j', (setting, named) => {
    expect(() => configOf({ ...s3.settings, ...setting })).toThrow(new RegExp(`^${named}: `));
  });
});
