import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../../deploy/build/source-files';

const README = readFileSync(path.join(ROOT, 'README.md'), 'utf8');
const { scripts } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as { scripts: object };

describe('README of the repository', () => {
  it.each(['apps', 'libs'])('links the README of each folder of %s', (parent) => {
    const folders = readdirSync(path.join(ROOT, parent));
    expect(folders.length).toBeGreaterThan(5);
    expect(folders.filter((folder) => !README.includes(`](${parent}/${folder}/README.md)`))).toEqual([]);
  });

  it("names at most twelve commands, and the contributor's guide each that tests or measures", () => {
    const guide = readFileSync(path.join(ROOT, 'docs/contribute/README.md'), 'utf8');
    expect((README.match(/^npm (run|ci|test)\b/gm) ?? []).length).toBeLessThanOrEqual(12);
    const commands = Object.keys(scripts).filter((name) => /^(test|bench):/.test(name));
    expect(commands.length).toBeGreaterThan(10);
    expect(commands.filter((name) => !`${README}${guide}`.includes(name))).toEqual([]);
  });
});
