import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { transformSync } from '@swc/core';

const SOURCE = `interface Gone {
  lines: string;
}

function fail(name: string): never {
  throw new TypeError(name satisfies Gone['lines']);
}

try {
  fail('of no use');
} catch (error) {
  console.log(error.stack);
}
`;

describe('stack traces', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'kinora-stack-traces-'));
  const program = path.join(folder, 'dist/program.js');

  beforeAll(() => {
    const { code, map = '' } = transformSync(SOURCE, {
      sourceFileName: '../src/program.ts',
      sourceMaps: true,
      jsc: { parser: { syntax: 'typescript' } },
    });
    mkdirSync(path.dirname(program));
    writeFileSync(program, code);
    writeFileSync(`${program}.map`, map);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const stackOf = (file: string): string =>
    execFileSync(process.execPath, ['-r', './test/typescript.cjs', '-r', require.resolve('./before-program'), file], {
      encoding: 'utf8',
    });

  it('show lines of the source if the program has a source map beside it', () => {
    const source = path.join(folder, 'src/program.ts');
    expect(stackOf(program)).toMatch(
      new RegExp(
        `^TypeError: of no use\n +at fail \\(${source}:6:9\\)\n +at Object.<anonymous> \\(${source}:10:3\\)\n`,
      ),
    );
  });

  it('show lines of the program if the map is missing or cannot be read', () => {
    for (const map of ['{', null]) {
      if (map === null) rmSync(`${program}.map`);
      else writeFileSync(`${program}.map`, map);
      expect(stackOf(program)).toMatch(new RegExp(`^TypeError: of no use\n +at fail \\(${program}:\\d+:\\d+\\)\n`));
    }
  });
});
