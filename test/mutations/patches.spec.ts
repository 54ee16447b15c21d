import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../../deploy/build/source-files';
import { plantedBugs, whyNotPlanted } from './planted-bug';

const LEAST = 60;

describe('planted bugs', () => {
  const bugs = plantedBugs();

  it('are at least as many as required, in every context and library', () => {
    const planted = new Set(bugs.flatMap(({ files }) => files.map((file) => file.split('/').slice(0, 2).join('/'))));
    // The library for tests is not part of production, and the Python client has tests of its own in Python.
    const others = ['libs/testing', 'libs/sdk-python'];
    const parts = ['apps', 'libs'].flatMap((folder) =>
      readdirSync(path.join(ROOT, folder)).map((name) => `${folder}/${name}`),
    );
    expect(parts.filter((part) => !others.includes(part) && !planted.has(part))).toEqual([]);
    expect(bugs.length).toBeGreaterThanOrEqual(LEAST);
  });

  it('apply to the current code', async () => {
    const problems = await Promise.all(bugs.map(whyNotPlanted));
    expect(problems.filter((problem) => problem !== null)).toEqual([]);
  });

  it('each describe the bug and name existing specs', () => {
    const incomplete = bugs.filter(
      ({ title, files, specs }) => title === '' || files.length === 0 || specs.length === 0,
    );
    const missing = bugs.flatMap(({ specs }) => specs.filter((spec) => !existsSync(path.join(ROOT, spec))));
    expect({ incomplete, missing }).toEqual({ incomplete: [], missing: [] });
  });
});
