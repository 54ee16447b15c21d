import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { ThrowawayCopy } from '../../test/mutations/throwaway-copy';

interface Outcome {
  exitCode: number | null;
  output: string;
}

describe('new endpoint', () => {
  let copy: ThrowawayCopy;

  beforeAll(async () => {
    copy = await ThrowawayCopy.make();
  });

  afterAll(() => copy.remove());

  it.each([
    ['a context that the gateway may not call', ['moderation', 'list-strikes', 'strikes'], 'jobs, billing, catalog'],
    ['a name that is not verb-noun', ['billing', 'Invoices', 'invoices'], 'verb-noun'],
    ['an invalid route', ['billing', 'list-invoices', '/v1/invoices'], 'no /v1'],
    ['an existing use case', ['billing', 'list-payments', 'account/payments'], 'is there already'],
  ])('is refused for %s', async (_, args, because) => {
    const outcome = await run('deploy/build/new-endpoint.mjs', ...args);
    expect(outcome).toEqual({ exitCode: 1, output: expect.stringContaining(because) });
  });

  it('is described, served and tested at once', async () => {
    const created = await run('deploy/build/new-endpoint.mjs', 'billing', 'list-invoices', 'account/invoices');
    expect(created).toEqual({ exitCode: 0, output: expect.stringContaining('Next: ') });
    const reference = JSON.parse(await read('apps/gateway/openapi.json')) as { paths: Record<string, unknown> };
    expect(Object.keys(reference.paths)).toContain('/account/invoices');
    expect(await read('apps/gateway/README.md')).toMatch(
      /`GET \/v1\/account\/invoices` +\| yes .*`billing\.v1\.list_invoices`/,
    );
    const steps = ['format', 'imports', 'types', 'handlers', 'modules', 'contracts', 'openapi', 'broker', 'reference'];
    expect(await run('deploy/build/check/check.mjs', ...steps)).toEqual({
      exitCode: 0,
      output: expect.stringContaining('Nothing to complain about.'),
    });
    const specs = ['list-invoices', 'test/openapi', '-w', '1'];
    const tested = await run('node_modules/jest/bin/jest.js', '-c', 'test/jest.config.cjs', ...specs);
    expect(tested).toEqual({ exitCode: 0, output: expect.stringMatching(/PASS apps\/gateway[^]*list-invoices/) });
  }, 600_000);

  const read = (file: string): Promise<string> => readFile(path.join(copy.folder, file), 'utf8');

  function run(...args: string[]): Promise<Outcome> {
    return new Promise((resolve) => {
      const child = execFile(process.execPath, args, { cwd: copy.folder }, (_, output, problem) =>
        resolve({ exitCode: child.exitCode, output: output + problem }),
      );
    });
  }
});
