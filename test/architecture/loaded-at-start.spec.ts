import { execFileSync } from 'node:child_process';
import { ROOT } from '../../deploy/build/source-files';

const SERVICES = ['gateway', 'jobs', 'billing', 'moderation', 'catalog', 'webhook-dispatcher', 'console'];
const SANDBOX = ['sandbox.config', 'http/sandbox.server', 'render/render-pool'];

/** The packages that loading these files loads, wholly or in part. */
function packagesLoadedBy(files: string[]): string[] {
  const program = `
    for (const file of ${JSON.stringify(files)}) require(file);
    const names = Object.keys(require.cache).map((file) => /.*\\/node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(file)?.[1]);
    console.log(JSON.stringify([...new Set(names.filter(Boolean))]));
  `;
  const args = ['-r', './test/typescript.cjs', '-e', program];
  return JSON.parse(execFileSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' })) as string[];
}

describe('at its start', () => {
  it('a service does not load packages that it rarely needs', () => {
    const loaded = packagesLoadedBy(SERVICES.map((name) => `./apps/${name}/src/${name}.module.ts`));
    expect(loaded).toEqual(expect.arrayContaining(['@nestjs/core', 'typeorm']));
    const seldom =
      /^(sharp|mediabunny|h264-mp4-encoder|@ffmpeg\/core|nodemailer|stripe|undici|yaml|@aws-sdk\/.*|@opentelemetry\/sdk-.*)$/;
    expect(loaded.filter((name) => seldom.test(name))).toEqual([]);
  });

  it('a service loads PostgreSQL without the implementation of fetch', () => {
    const program = `
      const hasFetch = () => process.moduleLoadList.some((name) => name.endsWith('/undici'));
      require('pg');
      console.log(hasFetch(), typeof Response, hasFetch());
    `;
    const preloads = ['-r', './test/typescript.cjs', '-r', './libs/service-kit/src/before-program.ts'];
    const printed = execFileSync(process.execPath, [...preloads, '-e', program], { cwd: ROOT, encoding: 'utf8' });
    expect(printed).toBe('false function true\n');
  });

  it('a program that is not a service does not load Nest', () => {
    const launcher = packagesLoadedBy(['./deploy/local/launcher.ts', './deploy/local/local-stack.config.ts']);
    const sandbox = packagesLoadedBy(SANDBOX.map((name) => `./apps/sandbox/src/${name}.ts`));
    expect([launcher, sandbox].map((names) => names.includes('class-validator'))).toEqual([true, true]);
    const heavy = /^(@nestjs\/.*|typeorm|rxjs|sharp|mediabunny)$/;
    expect([...launcher, ...sandbox].filter((name) => heavy.test(name))).toEqual([]);
  });
});
