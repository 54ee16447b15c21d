import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { waitFor } from '@kinora/testing';
import { ROOT } from '../../../deploy/build/source-files';
import type { ClientTestBed } from './test-bed';

const PATIENT = { timeoutMs: 60_000 };
const PNG_SIGNATURE = '89504e470d0a1a0a';

export function describeCrashes(testBed: ClientTestBed): void {
  describe('a client that is killed', () => {
    /** The example, with links that lead through the proxy as its requests do. */
    async function install(name: string): Promise<string> {
      const example = await readFile(path.join(ROOT, 'libs/sdk-typescript/examples/resume.mjs'), 'utf8');
      const proxied = `fetch: (url, init) => fetch(String(url).replace(/^http:..127.0.0.1:\\d+/, '${testBed.proxy.origin}'), init)`;
      await testBed.project.write(`${name}/resume.mjs`, example.replace('new Kinora()', `new Kinora({ ${proxied} })`));
      return `${name}/resume.mjs`;
    }

    it.each([
      { step: 'before the first request', prompt: '[[delay:3s]] a lighthouse', fault: null, until: 'stored' },
      { step: 'after the submit, without its answer', prompt: 'a lighthouse', fault: /^POST /, until: null },
      { step: 'after the submit', prompt: '[[delay:3s]] a lighthouse', fault: null, until: 'created' },
      { step: 'during the wait', prompt: '[[delay:3s]] a lighthouse', fault: null, until: 'waiting:' },
      { step: 'during the download', prompt: 'a lighthouse', fault: /^GET .files/, until: null },
      { step: 'after the end', prompt: 'a lighthouse', fault: null, until: 'saved' },
    ])('$step goes on in a new process, with one job and one payment', async ({ step, prompt, fault, until }) => {
      const name = step.replaceAll(/\W+/g, '-');
      const program = await install(name);
      const { accountId, throughProxy, spentMicros } = await testBed.openAccount();
      const folder = path.join(testBed.project.folder, name);
      let swallowed = 0;
      testBed.proxy.choose = ({ method, url }) => {
        const isHeld = fault !== null && swallowed === 0 && fault.test(`${method} ${url}`);
        swallowed += isHeld ? 1 : 0;
        return isHeld ? (until === null && /files/.test(url ?? '') ? 'slow' : 'swallow') : 'none';
      };
      const first = testBed.project.startIn(name, 'resume.mjs', [prompt], throughProxy);
      const isAtStep = async () =>
        until !== null
          ? first.output.includes(until)
          : step.includes('download')
            ? (await readdir(folder)).some((file) => file.endsWith('.part'))
            : (await testBed.jobsOf(accountId)).length === 1;
      await waitFor(isAtStep, PATIENT);
      await first.kill();
      testBed.proxy.choose = () => 'none';
      const second = await testBed.project.startIn(name, 'resume.mjs', [prompt], throughProxy).succeeded();
      const [id] = (await testBed.jobsOf(accountId)).map((job) => job.id);
      expect(second).toContain(`saved ${id}.png`);
      expect(first.output.includes('saved')).toBe(until === 'saved');
      const jobs = await testBed.jobsOf(accountId);
      expect(jobs).toMatchObject([{ status: 'succeeded' }]);
      expect(await spentMicros()).toBe(jobs[0]?.price_micros);
      const image = await readFile(path.join(folder, `${id}.png`));
      expect(image.subarray(0, 8).toString('hex')).toBe(PNG_SIGNATURE);
      expect(program).toBe(`${name}/resume.mjs`);
    });
  });
}
