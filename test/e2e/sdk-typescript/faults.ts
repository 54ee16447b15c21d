import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Fault } from '../../support/faulty-proxy';
import { verifyLedger } from '../../support/operator';
import type { ClientTestBed } from './test-bed';

/** With three requests or more a call, each fault occurs about twenty times. */
const CALLS = 120;
/** Most of a call's time is a pause after a fault. */
const AT_ONCE = 50;
const PRICE_MICROS = 5_000;
/** One of three requests fails, each fault equally often. */
const FAULTS: Fault[] = ['drop', 'truncate', 'slow', 'page', 'limit', 'busy'];

const CALLER = `
import { writeFile } from 'node:fs/promises';
import { Kinora } from '@kinora/client';
const [calls, model, atOnce] = [Number(process.argv[2]), process.argv[3], Number(process.argv[4])];
const kinora = new Kinora({ maxRetries: 20 });
const ids = [];
const queue = Array.from({ length: calls }).keys();
await Promise.all(Array.from({ length: atOnce }, async () => {
  for (const seed of queue) {
    const job = await kinora.images.generate({ model, prompt: 'a lighthouse', seed });
    if (seed % 20 === 0) await kinora.download(job.output.images[0], 'fault-' + seed + '.png');
    ids.push(job.id);
  }
}));
console.log(JSON.stringify(ids));
`;

export function describeFaults(testBed: ClientTestBed): void {
  describe('on a broken network', () => {
    beforeAll(() => testBed.project.write('caller.mjs', CALLER));
    afterEach(() => {
      testBed.proxy.choose = () => 'none';
    });

    it.each([
      { model: 'fast-image', calls: CALLS, price: PRICE_MICROS },
      { model: 'general-image', calls: 3, price: 20_000 },
    ])(
      'makes one job of each call: $calls of $model',
      async ({ model, calls, price }) => {
        const { accountId, throughProxy, spentMicros } = await testBed.openAccount();
        let requests = 0;
        testBed.proxy.choose = () =>
          ++requests % 3 === 0 ? (FAULTS[(requests / 3) % FAULTS.length] ?? 'none') : 'none';
        const caller = testBed.project.start('caller.mjs', [String(calls), model, String(AT_ONCE)], throughProxy);
        const output = await caller.succeeded();
        const ids = JSON.parse(output) as string[];
        expect(new Set(ids).size).toBe(calls);
        const jobs = await testBed.jobsOf(accountId);
        expect(jobs.map(({ id }) => id).sort()).toEqual(ids.sort());
        expect(jobs.filter(({ status, price_micros }) => status !== 'succeeded' || price_micros !== price)).toEqual([]);
        expect(await spentMicros()).toBe(calls * price);
        expect(await verifyLedger(testBed.stack)).toEqual({ ok: true, violations: [] });
        expect(Object.keys(testBed.proxy.counts).sort()).toEqual([...FAULTS].sort());
        process.stdout.write(`${calls} calls of ${model}: ${requests} requests\n`);
      },
      240_000,
    );

    it('writes no file that is cut short', async () => {
      const { throughProxy } = await testBed.openAccount();
      const program = `
        import { readdir, writeFile } from 'node:fs/promises';
        import { Kinora } from '@kinora/client';
        const proxied = (url, init) => fetch(String(url).replace(/^http:..127.0.0.1:\\d+(?=.files)/, process.argv[2]), init);
        const kinora = new Kinora({ fetch: proxied, maxRetries: 2 });
        const { id, output } = await kinora.images.generate({ model: 'fast-image', prompt: 'a lighthouse' });
        await writeFile('kept.png', 'kept');
        const failure = await kinora.download(output.images[0], 'kept.png').catch((error) => error);
        const wrong = await kinora.download(output.images[0], 'kept.png', { sha256: '00', maxRetries: 0 }).catch((error) => error);
        const files = await readdir('.');
        console.log(JSON.stringify([failure.name, failure.code, wrong.code, files.filter((name) => /kept/.test(name))]));`;
      await testBed.project.write('cut.mjs', program);
      let cuts = 0;
      testBed.proxy.choose = ({ url = '' }) => (url.startsWith('/files') && ++cuts <= 3 ? 'truncate' : 'none');
      const output = await testBed.project.start('cut.mjs', [testBed.proxy.origin], throughProxy).succeeded();
      expect(JSON.parse(output)).toEqual(['ConnectionError', 'truncated', 'truncated', ['kept.png']]);
      expect(cuts).toBe(4);
      expect(await readFile(path.join(testBed.project.folder, 'kept.png'), 'utf8')).toBe('kept');
    });
  });
}
