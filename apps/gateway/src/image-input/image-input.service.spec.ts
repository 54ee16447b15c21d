import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Egress, EgressAllowList } from '@kinora/egress';
import { FileObjectStore } from '@kinora/object-store';
import {
  ConnectionWatch,
  HOSTILE_URLS,
  HttpsReceiver,
  RECEIVER_AUTHORITY_FILE,
  createTestLog,
  waitFor,
} from '@kinora/testing';
import { greyPng } from '../../test/image.fixtures';
import { BodyBudget } from '../http/body-budget';
import { GatewayConfig } from '../gateway.config';
import { ImageInput } from './image-input.service';
import { isRemote } from './image-source';

const IMAGE = greyPng(80, 64);
const MIB = 1024 * 1024;

let folder: string;
let objects: FileObjectStore;
let receiver: HttpsReceiver;
let input: ImageInput;
let bodies: BodyBudget;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kinora-inputs-'));
  objects = new FileObjectStore(folder);
  receiver = await HttpsReceiver.start();
  const authority = readFileSync(RECEIVER_AUTHORITY_FILE, 'utf8');
  const egress = new Egress({ allow: EgressAllowList.parse(`127.0.0.1:${receiver.port}`), authority });
  bodies = new BodyBudget(new GatewayConfig());
  input = new ImageInput(objects, egress, bodies, createTestLog().logger);
});

afterAll(async () => {
  await receiver.close();
  await rm(folder, { recursive: true, force: true });
});

beforeEach(() => {
  receiver.requests.length = 0;
  receiver.answer = (_request, response) => response.end(IMAGE);
});

const ACCOUNT_ID = 'account';

const remote = (param = 'image'): { param: string; content: string } => ({
  param,
  content: `https://127.0.0.1:${receiver.port}/a.png`,
});

describe('a remote image', () => {
  it('is fetched and stored unchanged', async () => {
    const [image] = await input.store([remote()], ACCOUNT_ID);
    expect(image).toMatchObject({ width: 80, height: 64, mime: 'image/png' });
    expect(await objects.get(image?.object_key ?? '')).toEqual(IMAGE);
    expect(receiver.requests[0]).toMatchObject({ method: 'GET', headers: { 'accept-encoding': 'identity' } });
  });

  it('is fetched once, even if it is named several times', async () => {
    const images = await input.store([remote('image'), remote('images[0]')], ACCOUNT_ID);
    expect(new Set(images.map(({ object_key }) => object_key)).size).toBe(2);
    expect(receiver.requests).toHaveLength(1);
  });

  it('is not fetched, and no connection is opened, if its URL is not allowed', async () => {
    const watch = new ConnectionWatch();
    const refusals = new Set<unknown>();
    for (const content of HOSTILE_URLS.filter((url) => isRemote({ param: 'image', content: url })))
      refusals.add(await input.store([{ param: 'image', content }], ACCOUNT_ID).catch((error: Error) => error.message));
    watch.close();
    expect({ refusals, attempts: watch.attempts }).toEqual({
      refusals: new Set(['image: blocked address']),
      attempts: [],
    });
  });

  it('is charged as its bytes arrive, so that many small images are fetched at once', async () => {
    const waiting: ServerResponse[] = [];
    receiver.answer = (_request, response) => {
      response.write(IMAGE.subarray(0, 60));
      waiting.push(response);
    };
    // If each reserved 10 MiB, one account would have room for ten.
    const stored = Promise.all(Array.from({ length: 30 }, () => input.store([remote()], ACCOUNT_ID)));
    await Promise.race([waitFor(() => waiting.length === 30), stored]);
    for (const response of waiting) response.end(IMAGE.subarray(60));
    expect(await stored).toHaveLength(30);
  });

  it('is refused when the budget is used up, and releases its charge', async () => {
    const others = bodies.open({ accountId: ACCOUNT_ID });
    others.charge(103 * MIB);
    receiver.answer = (_request, response) => response.end(greyPng(64, 64, 2 * MIB));
    await expect(input.store([remote()], ACCOUNT_ID)).rejects.toMatchObject({ code: 'capacity' });
    others.charge(MIB);
    others.release();
    await expect(input.store([remote()], ACCOUNT_ID)).resolves.toHaveLength(1);
  });
});
