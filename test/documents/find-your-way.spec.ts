import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../../deploy/build/source-files';
import { checkWays } from './find-your-way';

const page = (...rows: string[]): string =>
  ['# Page', '### Find your way', '', '| question | file | look for |', '| - | - | - |', ...rows, '', 'More.'].join(
    '\n',
  );

describe('the table of questions about the code', () => {
  it('names texts that its files hold', () => {
    const { count, wrong } = checkWays(ROOT, readFileSync(path.join(ROOT, 'README.md'), 'utf8'));
    expect(wrong).toEqual([]);
    expect(count).toBeGreaterThan(6);
  });

  it.each([
    [
      'a symbol that is gone',
      '| Where? | [it](test/documents/find-your-way.ts) | `checkRoads` |',
      /does not hold checkRoads/,
    ],
    ['a file that is gone', '| Where? | [it](test/documents/nowhere.ts) | `checkWays` |', /does not exist/],
    ['nothing to look for', '| Where? | [it](test/documents/find-your-way.ts) | |', /names no file and no text/],
  ])('is wrong where a row names %s', (_, row, problem) => {
    const good = '| Where? | [it](test/documents/find-your-way.ts#L1), see there | `checkWays` |';
    expect(checkWays(ROOT, page(good, row))).toEqual({ count: 2, wrong: [expect.stringMatching(problem)] });
  });
});
