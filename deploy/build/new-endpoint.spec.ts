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

  // One per context, and both methods of one path.
  const ENDPOINTS = [
    { context: 'billing', name: 'list-invoices', verb: 'GET', route: 'account/invoices' },
    { context: 'billing', name: 'create-invoice', verb: 'POST', route: 'account/invoices' },
    { context: 'catalog', name: 'suggest-style', verb: 'POST', route: 'styles' },
    { context: 'jobs', name: 'list-presets', verb: 'GET', route: 'presets' },
  ];

  it.each(ENDPOINTS)(
    'is described at once: $verb $route',
    async ({ context, name, verb, route }) => {
      const created = await run('deploy/build/new-endpoint.mjs', context, name, route);
      expect(created).toEqual({ exitCode: 0, output: expect.stringContaining('Next: ') });
      const reference = JSON.parse(await read('apps/gateway/openapi.json')) as { paths: Record<string, object> };
      expect(Object.keys(reference.paths[`/${route}`] ?? {})).toContain(verb.toLowerCase());
      const subject = `${context}.v1.${name.replace('-', '_')}`;
      const row = (await read('apps/gateway/README.md')).split('\n').find((line) => line.includes(subject));
      expect(row).toContain(`\`${verb} /v1/${route}\``);
    },
    240_000,
  );

  it('is served and tested at once', async () => {
    const steps = ['format', 'imports', 'types', 'handlers', 'modules', 'contracts', 'openapi', 'broker', 'reference'];
    expect(await run('deploy/build/check/check.mjs', ...steps)).toEqual({
      exitCode: 0,
      output: expect.stringContaining('Nothing to complain about.'),
    });
    const names = ENDPOINTS.map(({ name }) => name);
    const specs = [...names, 'test/openapi', 'test/architecture/layout', '-w', '1'];
    const tested = await run('node_modules/jest/bin/jest.js', '-c', 'test/jest.config.cjs', ...specs);
    expect(tested).toEqual({ exitCode: 0, output: expect.any(String) });
    const passed = tested.output.split('\n').filter((line) => line.startsWith('PASS'));
    for (const name of names)
      expect(passed.filter((line) => line.includes(`/${name}.`))).toEqual([
        expect.stringContaining('apps/gateway'),
        expect.stringContaining('use-cases'),
      ]);
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
