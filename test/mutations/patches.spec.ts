import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../../deploy/build/source-files';
import { plantedBugs, whyNotPlanted } from './planted-bug';

const LEAST = 60;

describe('planted bugs', () => {
  const bugs = plantedBugs();

  it('are at least as many as were agreed on, in every context and library', () => {
    const planted = new Set(bugs.flatMap(({ files }) => files.map((file) => file.split('/').slice(0, 2).join('/'))));
    // Nothing of the library for tests ships.
    const parts = ['apps', 'libs'].flatMap((folder) =>
      readdirSync(path.join(ROOT, folder)).map((name) => `${folder}/${name}`),
    );
    expect(parts.filter((part) => part !== 'libs/testing' && !planted.has(part))).toEqual([]);
    expect(bugs.length).toBeGreaterThanOrEqual(LEAST);
  });

  it('can be planted in the code as it stands', async () => {
    const problems = await Promise.all(bugs.map(whyNotPlanted));
    expect(problems.filter((problem) => problem !== null)).toEqual([]);
  });

  it('each say what is wrong and name specs that are there', () => {
    const incomplete = bugs.filter(
      ({ title, files, specs }) => title === '' || files.length === 0 || specs.length === 0,
    );
    const missing = bugs.flatMap(({ specs }) => specs.filter((spec) => !existsSync(path.join(ROOT, spec))));
    expect({ incomplete, missing }).toEqual({ incomplete: [], missing: [] });
  });
});
