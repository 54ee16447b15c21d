import { execFile } from 'node:child_process';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import ts from 'typescript';
import { ROOT } from '../../../deploy/build/source-files';
import type { ClientTestBed } from './test-bed';

const run = promisify(execFile);
const LARGEST_MINIFIED_BYTES = 30_000;
/** Prints one file for a browser. */
const BUNDLE = `
import { build } from 'vite';
const lib = { entry: process.argv[1], formats: ['iife'], name: 'kinora' };
const [{ output }] = await build({ configFile: false, logLevel: 'silent', build: { write: false, minify: true, lib } });
process.stdout.write(output[0].code);
`;
const CONSUMER = `
import { Kinora, JobFailedError, JobPendingError, RateLimitError, CapacityError, type ImageJob, type Job } from '@kinora/client';
const kinora = new Kinora({ apiKey: 'knr_test_x', baseURL: 'https://kinora.example/v1', timeout: undefined });
export async function draw(): Promise<string> {
  try {
    const job: ImageJob = await kinora.images.generate({ prompt: 'a lighthouse', aspect_ratio: '16:9' }, { timeout: 1_000 });
    const { sha256 } = await kinora.download(job.output.images[0], 'lake.png');
    const bytes: Uint8Array = await kinora.download(job.output.images[0]);
    return sha256 + String(bytes.length);
  } catch (error) {
    if (error instanceof JobFailedError) return error.job.id;
    if (error instanceof RateLimitError) return error.name;
    if (error instanceof CapacityError) return error.name;
    if (error instanceof JobPendingError) return (await error.resume()).id;
    throw error;
  }
}
export async function ids(): Promise<string[]> {
  const ids: string[] = (await kinora.jobs.list({ status: 'failed' })).data.map(({ id }: Job) => id);
  for await (const { id } of kinora.jobs.list({ limit: 2 })) ids.push(id);
  for await (const { type, data } of kinora.jobs.events('x')) if (type === 'job.progress') ids.push(data.job_id);
  return ids;
}
// @ts-expect-error an image generation has a prompt
void kinora.images.generate({ promt: 'a lighthouse' });
// @ts-expect-error durations are 5 and 8
void kinora.videos.create({ image: 'a.png', duration: 6 });
`;

export function describePackage(testBed: ClientTestBed): void {
  describe('the package', () => {
    it('holds the library and nothing else', async () => {
      const { installed, tarball } = testBed.project;
      const files = (await readdir(installed, { recursive: true })).filter((file) => path.extname(file) !== '');
      const others = files.filter((file) => !/^dist\/(esm|cjs)\/(package\.json|[\w.-]+\.(js|d\.ts))$/.test(file));
      expect(others.sort()).toEqual(['CHANGELOG.md', 'README.md', 'package.json']);
      const { bytes, gzipped } = await minifiedSize(installed);
      process.stdout.write(
        `@kinora/client: ${bytes} bytes minified, ${gzipped} compressed; tarball ${(await stat(tarball)).size}\n`,
      );
      expect(bytes).toBeLessThan(LARGEST_MINIFIED_BYTES);
    });

    it.each([
      ['esm.mjs', "import * as client from '@kinora/client';"],
      ['cjs.cjs', "const client = require('@kinora/client');"],
    ])('is imported by %s', async (name, statement) => {
      const { direct } = await testBed.openAccount();
      const program = `${statement}
        const kinora = new client.Kinora();
        kinora.images.create({ model: 'fast-image', prompt: 'a lighthouse' }).then((job) => console.log(job.object));
        try { new client.Kinora({ apiKey: '' }) } catch (error) { console.log(error.name, error instanceof client.KinoraError) }
        console.log(JSON.stringify(kinora).includes('knr_'), require_inspect(kinora).includes('knr_'));
        function require_inspect(value) { return process.getBuiltinModule('node:util').inspect(value, { depth: 9 }) }`;
      await testBed.project.write(name, program);
      const output = await testBed.project.start(name, [], direct).succeeded();
      expect(output.trim().split('\n').sort()).toEqual(['KinoraError true', 'false false', 'job'].sort());
    });

    it('has types for consumers of every kind', async () => {
      const files = await Promise.all(
        ['consumer.mts', 'consumer.cts'].map((name) => testBed.project.write(`types/${name}`, CONSUMER)),
      );
      const strict = { types: [], lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'], exactOptionalPropertyTypes: true };
      const bundled = { module: ts.ModuleKind.ES2022, moduleResolution: ts.ModuleResolutionKind.Bundler };
      expect(testBed.project.compile(files, strict)).toEqual([]);
      expect(testBed.project.compile(files.slice(0, 1), { ...strict, ...bundled })).toEqual([]);
    });
  });
}

/** Of one file for a browser, with everything that the library exports. */
async function minifiedSize(installed: string): Promise<{ bytes: number; gzipped: number }> {
  const entry = path.join(installed, 'dist/esm/index.js');
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', BUNDLE, entry], { cwd: ROOT });
  const code = Buffer.from(stdout);
  return { bytes: code.length, gzipped: gzipSync(code).length };
}
