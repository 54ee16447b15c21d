import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { ClientProject } from '../support/packed-client';
import { ConsolePages } from './console-pages';
import type { WatchedPage } from './watched-page';

/** Where the test serves the modules of the packed client, on the console's origin, whose policy admits no others. */
const MODULES = '/client/';
const IN_PAGE = `
const { Kinora, JobFailedError, JobPendingError, KinoraError } = await import('${MODULES}index.js');
const { csrf_token } = await (await fetch('/admin/v1/session')).json();
const headers = { 'X-CSRF-Token': csrf_token };
const kinora = new Kinora({ apiKey: null, baseURL: '/admin/v1/customer', headers });
const failed = (promise) => promise.then(() => null, (error) => error);
`;
const evaluated = (code: string) => `(async () => { ${IN_PAGE} ${code} })()`;

describe('the TypeScript client in a page of the console', () => {
  let pages: ConsolePages;
  let project: ClientProject;
  let watched: WatchedPage;

  beforeAll(async () => {
    [pages, project] = await Promise.all([ConsolePages.start(), ClientProject.create()]);
    watched = await pages.signIn();
    const { page } = watched;
    await page.route(`**${MODULES}*`, async (route) => {
      const file = path.basename(new URL(route.request().url()).pathname);
      const body = await readFile(path.join(project.installed, 'dist/esm', file));
      await route.fulfill({ body, contentType: 'text/javascript' });
    });
  });

  afterAll(async () => {
    await pages?.close();
    await project?.remove();
  });

  const run = <Result>(code: string): Promise<Result> => watched.page.evaluate<Result>(evaluated(code));

  it('makes, waits for and downloads an image with the session alone', async () => {
    const result = await run(`
      const statuses = [];
      const onUpdate = ({ status }) => statuses.push(status);
      const job = await kinora.images.generate({ prompt: '[[delay:1s]] a lighthouse' }, { onUpdate });
      const bytes = await kinora.download(job.output.images[0]);
      const signature = [...bytes.slice(1, 4)].map((code) => String.fromCharCode(code)).join('');
      const edited = await kinora.images.createEdit({ prompt: 'at night', image: new Blob([bytes]) });
      const types = [];
      for await (const { type } of kinora.jobs.events(edited.id)) types.push(type);
      const { data } = await kinora.jobs.list({ limit: 2 });
      return {
        status: job.status, isComplete: bytes.length === job.output.images[0].bytes, signature,
        hasUpdates: statuses.length > 0, lastEvent: types.at(-1), isListed: data[1].id === job.id,
      };`);
    expect(result).toEqual({
      ...{ status: 'succeeded', isComplete: true, signature: 'PNG' },
      ...{ hasUpdates: true, lastEvent: 'job.succeeded', isListed: true },
    });
    expect(watched.problems).toEqual([]);
  });

  it('tells a failed job, a wrong field and a wait that was too short apart', async () => {
    const result = await run(`
      const wrong = await failed(kinora.images.create({ prompt: 'a lighthouse', n: 9 }));
      const pending = await failed(kinora.images.generate({ prompt: '[[delay:2s]] a' }, { timeout: 200 }));
      const resumed = await pending.resume({ timeout: 60_000 });
      const abort = new AbortController();
      const aborted = { signal: abort.signal, cancelOnAbort: true, onUpdate: () => abort.abort() };
      const canceled = await failed(kinora.images.generate({ prompt: '[[delay:60s]] a' }, aborted));
      return [
        [wrong.name, wrong.param], [pending instanceof JobPendingError, resumed.id === pending.jobId],
        [canceled instanceof JobFailedError, canceled.code],
      ];`);
    expect(result).toEqual([
      ['InvalidRequestError', 'n'],
      [true, true],
      [true, 'canceled'],
    ]);
  });

  it('uses the `fetch` that it is given', async () => {
    const result = await run(`
      const seen = [];
      const counting = (url, init) => seen.push([url, init.headers.authorization ?? null]) && fetch(url, init);
      const own = new Kinora({ apiKey: null, baseURL: '/admin/v1/customer', fetch: counting });
      return [(await own.account.get()).currency, seen];`);
    expect(result).toEqual(['USD', [['/admin/v1/customer/account', null]]]);
  });

  it('refuses an API key, unless the page may show it', async () => {
    const result = await run(`
      const refusalOf = (options) => {
        try { new Kinora({ baseURL: '/v1', ...options }); return null; } catch (error) { return error; }
      };
      const refused = refusalOf({ apiKey: 'knr_test_x' });
      return [
        refused instanceof KinoraError && refused.message.includes('dangerouslyAllowBrowser'),
        refused.message.includes('knr_test_x'),
        refusalOf({ apiKey: 'knr_test_x', dangerouslyAllowBrowser: true }),
        refusalOf({}).message,
      ];`);
    const missing = 'The API key is missing: pass `apiKey`, or set KINORA_API_KEY.';
    expect(result).toEqual([true, false, null, missing]);
  });
});
