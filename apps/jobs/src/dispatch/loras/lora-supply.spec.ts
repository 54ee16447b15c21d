import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ProviderRegistry, type TaskLora } from '@kinora/compute';
import { providerServices } from '@kinora/compute/fixtures';
import { Egress, EgressAllowList } from '@kinora/egress';
import { HttpsReceiver, RECEIVER_AUTHORITY_FILE } from '@kinora/testing';
import { JobsConfig } from '../../jobs.config';
import { LoraSupply } from './lora-supply';
import { safetensors } from '../../../test/safetensors.fixtures';

const HOUR_MS = 3_600_000;
const FILE = safetensors();

function nameOf(file: Buffer): string {
  return `${createHash('sha256').update(file).digest('hex')}.safetensors`;
}

describe('LoRA supply', () => {
  const configDir = mkdtempSync(path.join(os.tmpdir(), 'providers-'));
  let dir: string;
  let hub: HttpsReceiver;
  let supply: LoraSupply;
  let providers: ProviderRegistry;
  const content = new Map<string, Buffer>();

  beforeAll(async () => {
    hub = await HttpsReceiver.start();
  });
  afterAll(async () => {
    await hub.close();
    rmSync(configDir, { recursive: true });
  });
  beforeEach(() => {
    dir = mkdtempSync(path.join(os.tmpdir(), 'loras-'));
    hub.requests.length = 0;
    content.clear();
    content.set('/a.safetensors', FILE);
    hub.answer = (request, response) => {
      const file = content.get(request.path);
      if (file) response.writeHead(200).end(file);
      else response.writeHead(404).end();
    };
    const instance = `type: openai-images, dialect: sglang, url: 'http://127.0.0.1:1'`;
    const text = `providers: [{ id: sharing, ${instance}, shared_lora_dir: ${dir} }, { id: remote, ${instance} }]`;
    writeFileSync(path.join(configDir, 'providers.yaml'), text);
    const { egress, logger } = providerServices();
    const config = Object.assign(new JobsConfig(), { configDir, sandboxUrl: 'http://127.0.0.1:1' });
    providers = new ProviderRegistry(config, egress, logger);
    supply = newSupply();
  });
  afterEach(async () => {
    await providers.onApplicationShutdown();
    rmSync(dir, { recursive: true, force: true });
  });

  function newSupply(limits: Partial<JobsConfig> = {}): LoraSupply {
    const allow = EgressAllowList.parse(`127.0.0.1:${hub.port}`);
    const egress = new Egress({ allow, authority: readFileSync(RECEIVER_AUTHORITY_FILE, 'utf8') });
    return new LoraSupply(egress, Object.assign(new JobsConfig(), limits), providers);
  }

  const url = (name: string): string => `https://127.0.0.1:${hub.port}/${name}`;
  const lora = (parts: Partial<TaskLora> = {}): TaskLora => ({ url: url('a.safetensors'), strength: 0.8, ...parts });
  const get = (loras: TaskLora[], { by = supply, untilMs = Date.now() + HOUR_MS } = {}) =>
    by.supply(loras, 'sharing', untilMs);
  const stored = (): string[] =>
    readdirSync(dir)
      .filter((name) => !name.startsWith('.'))
      .sort();

  it('stores both files of a pair in the folder, complete, named by their content', async () => {
    content.set('/low.safetensors', safetensors({ name: 'low' }));
    const pair = lora({ low_url: url('low.safetensors') });
    expect(await get([pair])).toEqual([
      { ...pair, file: nameOf(FILE), low_file: nameOf(safetensors({ name: 'low' })) },
    ]);
    expect(readFileSync(path.join(dir, nameOf(FILE)))).toEqual(FILE);
    expect(stored()).toHaveLength(2);
  });

  it('fetches a file once for many jobs, at the same time or one after another, also after a restart', async () => {
    const loras = [lora(), lora({ low_url: url('a.safetensors') })];
    await Promise.all([get(loras), get(loras), get(loras)]);
    await get(loras);
    await get(loras, { by: newSupply() });
    expect(hub.requests).toHaveLength(1);
  });

  it('stores one file for two addresses with the same content', async () => {
    content.set('/b.safetensors', FILE);
    await get([lora(), lora({ url: url('b.safetensors') })]);
    expect(stored()).toEqual([nameOf(FILE)]);
  });

  it('does not touch files of the operator, and LoRAs without an address', async () => {
    const byHand = [lora({ file: 'house-style.safetensors' }), { id: 'woodcut', strength: 1 }];
    expect(await get(byHand)).toEqual(byHand);
    expect(hub.requests).toEqual([]);
  });

  it('reads only the header, and once, if the backend fetches the file itself', async () => {
    const large = safetensors({
      header: { a: { dtype: 'U8', shape: [50_000_000], data_offsets: [0, 50_000_000] } },
      data: Buffer.alloc(0),
    });
    hub.answer = (_request, response) =>
      void response.writeHead(206).write(Buffer.concat([large, Buffer.alloc(1_000)]));
    expect(await supply.supply([lora()], 'remote', 0)).toEqual([lora()]);
    expect(await supply.supply([lora()], 'remote', 0)).toEqual([lora()]);
    expect(hub.requests.map(({ headers }) => headers.range)).toEqual(['bytes=0-4194311']);
    expect(stored()).toEqual([]);
  });

  it.each(['api/download/models/1?type=Model', 'A.SAFETENSORS', 'a.ckpt'])(
    'follows the redirects of a hub from %s to its storage, because the content decides',
    async (name) => {
      hub.answer = (request, response) => {
        const next = request.path === '/c' ? '/b' : '/c';
        if (request.path === '/b') response.end(FILE);
        else response.writeHead(302, { location: next }).end();
      };
      expect(await get([lora({ url: url(name) })])).toMatchObject([{ file: nameOf(FILE) }]);
    },
  );

  it.each<[string, HttpsReceiver['answer'], isFinal: boolean]>([
    ['refused', (_request, response) => response.writeHead(404).end(), true],
    ['refused', (_request, response) => response.writeHead(302, { location: '/again' }).end(), true],
    ['unreachable', (_request, response) => response.writeHead(503).end(), false],
    ['unreachable', (_request, response) => response.destroy(), false],
    ['blocked address', (_request, response) => response.writeHead(302, { location: 'https://10.0.0.1/' }).end(), true],
    ['no safetensors file', (_request, response) => response.end('<!doctype html>'), true],
    ['no safetensors file', (_request, response) => response.end(), true],
    [
      'cut off',
      ({ headers }, response) => {
        const part = { 'content-range': `bytes 0-${FILE.length - 4}/${FILE.length - 3}` };
        response.writeHead(headers.range === undefined ? 200 : 206, headers.range === undefined ? {} : part);
        response.end(FILE.subarray(0, -3));
      },
      true,
    ],
    [
      'no safetensors file',
      (_request, response) =>
        response.writeHead(200, { 'content-length': FILE.length + 1 }).end(`${FILE.toString('latin1')} `, 'latin1'),
      true,
    ],
    ['cut off', (_request, response) => response.end(FILE.subarray(0, 20)), true],
    ['cut off', (_request, response) => response.write(FILE.subarray(0, 9), () => response.destroy()), false],
  ])(
    'names the fault of an address as %s, with its field, and whether a retry can help',
    async (fault, answer, isFinal) => {
      hub.answer = answer;
      const forClient = `loras[1].url: ${fault}`;
      const loras = [lora({ id: 'woodcut', file: 'woodcut.safetensors' }), lora()];
      await expect(get(loras)).rejects.toMatchObject({ name: 'LoraProblem', isFinal, forClient });
      expect(readdirSync(dir).filter((name) => name !== '.kinora-urls')).toEqual([]);
      await expect(supply.supply(loras, 'remote', 0)).rejects.toMatchObject({ forClient });
    },
  );

  it('names the field of the file that is at fault, and none for an address of the catalog', async () => {
    const pair = lora({ low_url: url('gone') });
    await expect(get([pair])).rejects.toMatchObject({ forClient: 'loras[0].low_url: refused' });
    const listed = lora({ id: 'woodcut', url: url('gone') });
    await expect(get([listed])).rejects.toMatchObject({ fault: 'refused', forClient: null });
  });

  it('does not create the folder if it is not mounted', async () => {
    rmSync(dir, { recursive: true });
    await expect(get([lora()])).rejects.toMatchObject({ name: 'LoraProblem', isFinal: false });
    expect(existsSync(dir)).toBe(false);
  });

  it('stops reading at the maximum size of a LoRA', async () => {
    const by = newSupply({ maxLoraMb: 1 });
    const header = headerFor(2 * 1024 * 1024);
    content.set('/a.safetensors', safetensors({ header, data: Buffer.alloc(2 * 1024 * 1024) }));
    await expect(get([lora()], { by })).rejects.toMatchObject({ isFinal: true });
    expect(stored()).toEqual([]);
  });

  it('evicts the least recently needed files, and never one that a job may need', async () => {
    const by = newSupply({ loraFolderMb: 1 });
    const files = Array.from({ length: 4 }, (_, index) => {
      const name = `${index}.safetensors`;
      content.set(`/${name}`, safetensors({ name, header: headerFor(400_000, name), data: Buffer.alloc(400_000) }));
      return name;
    });
    const [first, second, third, fourth] = files.map((name) => lora({ url: url(name) }));
    await get([first!, second!], { by });
    await expect(get([third!], { by })).rejects.toMatchObject({ isFinal: false });
    const fileOf = (name: string): string => path.join(dir, nameOf(content.get(`/${name}`)!));
    utimesSync(fileOf(files[0]!), new Date(), new Date(Date.now() - 2 * HOUR_MS));
    utimesSync(fileOf(files[1]!), new Date(), new Date(Date.now() - HOUR_MS));
    await get([third!], { by });
    expect(stored()).toEqual([files[1]!, files[2]!].map((name) => path.basename(fileOf(name))).sort());
    writeFileSync(path.join(dir, 'by-hand.safetensors'), "an operator's");
    await get([second!], { by });
    await expect(get([fourth!], { by })).rejects.toMatchObject({ isFinal: false });
    expect(statSync(fileOf(files[1]!)).mtimeMs).toBeGreaterThan(Date.now());
    expect(stored()).toContain('by-hand.safetensors');
  });
});

function headerFor(bytes: number, name = 'a'): object {
  return { [name]: { dtype: 'U8', shape: [bytes], data_offsets: [0, bytes] } };
}
