import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

const PROVIDERS = 'libs/compute/src';

describe('new provider', () => {
  let checkout: string;

  beforeEach(async () => {
    checkout = await mkdtemp(path.join(tmpdir(), 'kinora-new-provider-'));
    await mkdir(path.join(checkout, PROVIDERS), { recursive: true });
    await cp(path.join(__dirname, 'new-provider.mjs'), path.join(checkout, 'deploy/build/new-provider.mjs'));
    for (const part of ['sandbox', 'provider-types.ts'])
      await cp(path.resolve(PROVIDERS, part), path.join(checkout, PROVIDERS, part), { recursive: true });
  });

  afterEach(() => rm(checkout, { recursive: true, force: true }));

  it('is an adapter with a fake of its backend and a spec that runs the conformance kit, and is registered', async () => {
    expect(await run('acme-images')).toBe(0);
    expect((await readdir(path.join(checkout, PROVIDERS, 'acme-images'))).sort()).toEqual([
      'acme-images-task.ts',
      'acme-images-type.ts',
      'acme-images.provider.spec.ts',
      'acme-images.provider.ts',
      'fake-acme-images.fixtures.ts',
    ]);
    const spec = await read('acme-images/acme-images.provider.spec.ts');
    expect(spec).toContain("describeConformance('acme-images', {");
    const provider = await read('acme-images/acme-images.provider.ts');
    expect(provider).toContain('export class AcmeImagesProvider implements ComputeProvider {');
    expect(provider).not.toMatch(/sandbox/i);
    const list = await read('provider-types.ts');
    expect(list).toContain("import { acmeImagesType } from './acme-images/acme-images-type';");
    expect(list).toMatch(/= \[\s*sandboxType,\s*acmeImagesType,\s/);
  });

  it.each(['', 'Acme', '../acme'])('is refused for %j', async (name) => {
    expect(await run(name)).toBe(1);
  });

  it('never overwrites an adapter', async () => {
    expect(await run('sandbox')).toBe(1);
  });

  const read = (file: string): Promise<string> => readFile(path.join(checkout, PROVIDERS, file), 'utf8');

  function run(...args: string[]): Promise<number | null> {
    return new Promise((resolve) => {
      const script = path.join(checkout, 'deploy/build/new-provider.mjs');
      const child = execFile(process.execPath, [script, ...args], () => resolve(child.exitCode));
    });
  }
});
