import { existsSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../../deploy/build/source-files';
import { plantedBugs, whyNotPlanted } from './planted-bug';

const MOST = 60;

describe('planted bugs', () => {
  const bugs = plantedBugs();

  it('are few: each one is a bug that no tool makes, and has to be adapted when its lines change', () => {
    expect(bugs.length).toBeGreaterThan(0);
    expect(bugs.length).toBeLessThanOrEqual(MOST);
  });

  it('apply to the current code', async () => {
    const problems = await Promise.all([...bugs, ...plantedBugs('test/nemesis/patches')].map(whyNotPlanted));
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
