import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const STARTER = `
  require('./libs/service-kit/src/v8-flags.ts').setFlagsForStart();
  const { runBundle } = require('./libs/service-kit/src/bundle.ts');
  const { keepCompiledCode } = require('./libs/service-kit/src/started.ts');
  console.log(runBundle({ program: 'apps/example/src/main.js', bundle: process.argv[1], separate: ['yaml'] }, process.argv[2]).answer);
  keepCompiledCode();
`;
const MAIN = `
  const { answer } = require('./part-1.js');
  const names = [typeof require('node:fs').readFileSync, require('node:path').basename(__filename)];
  exports.answer = [answer, require('./part-1.js').answer, ...names].join(' ');
`;

describe('a bundle', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'kinora-bundle-'));
  const kept = path.join(folder, 'kept');
  const ofProgram = path.join(kept, 'apps/example/src/main.js');
  const main = path.join(folder, 'main-1.js');

  afterAll(() => rmSync(folder, { recursive: true }));

  const run = (file = main, into = kept): string =>
    execFileSync(process.execPath, ['-r', './test/typescript.cjs', '-e', STARTER, file, into], {
      encoding: 'utf8',
      stdio: 'pipe',
    });
  const write = (name: string, text: string): void => writeFileSync(path.join(folder, name), text);
  const writePart = (name: string, text: string): void =>
    write(name, `(function (exports, require, module, __filename, __dirname) {${text}})`);
  const keptFiles = (): Record<string, number> =>
    Object.fromEntries(readdirSync(ofProgram).map((name) => [name, statSync(path.join(ofProgram, name)).ino]));

  it('runs each of its parts once, with what Node provides to a module', () => {
    writePart('main-1.js', MAIN);
    writePart('part-1.js', 'let runs = 0; exports.answer = `part ${++runs}`;');
    expect(run()).toBe('part 1 part 1 function main-1.js\n');
  });

  it('keeps the compiled code of each part, which the next start uses', () => {
    const first = keptFiles();
    expect(Object.keys(first).map((name) => name.replace(/\.\d+$/, ''))).toEqual(['main-1', 'part-1']);
    run();
    expect(keptFiles()).toEqual(first);
  });

  it('compiles a part anew whose kept code V8 refuses', () => {
    const first = keptFiles();
    for (const name of Object.keys(first)) writeFileSync(path.join(ofProgram, name), 'torn');
    expect(run()).toBe('part 1 part 1 function main-1.js\n');
    for (const name of Object.keys(first)) expect(statSync(path.join(ofProgram, name)).size).toBeGreaterThan(4);
  });

  it('keeps code that the next start accepts, although a thread has set the flags of V8 back', () => {
    writePart('main-4.js', `new (require('node:worker_threads').Worker)('', { eval: true }); exports.answer = 4;`);
    const file = path.join(folder, 'main-4.js');
    run(file);
    const first = keptFiles();
    expect(run(file)).toBe('4\n');
    expect(keptFiles()).toEqual(first);
  });

  it('keeps only the code of its latest build', () => {
    writePart('main-2.js', 'exports.answer = 2;');
    expect(run(path.join(folder, 'main-2.js'))).toBe('2\n');
    expect(Object.keys(keptFiles()).map((name) => name.replace(/\.\d+$/, ''))).toEqual(['main-2']);
  });

  it('refuses a second copy of a package that is part of it', () => {
    writePart(
      'main-3.js',
      `exports.answer = [require('${require.resolve('yaml')}') !== null, Boolean(require('node:fs'))].join();`,
    );
    expect(() => run(path.join(folder, 'main-3.js'))).toThrow('is part of the bundle');
  });

  it('runs where nothing can be kept', () => {
    write('no-folder', '');
    expect(run(main, path.join(folder, 'no-folder'))).toBe('part 1 part 1 function main-1.js\n');
  });
});
