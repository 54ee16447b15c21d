import { readFileSync } from 'node:fs';
import path from 'node:path';
import { CRASH_POINTS } from '@kinora/service-kit';
import { ROOT, sourceFiles } from '../../deploy/build/source-files';

/** Production files only: a spec may name a crash point too. */
const SHIPPED = /^(?!.*\.(spec|fixtures)\.ts$).*\.ts$/;

/** test/faults/crash-points.e2e-spec.ts goes through the same list and proves that a process dies at each point. */
describe('crash points', () => {
  it('stand in the code once each', () => {
    const sources = ['apps', 'libs'].flatMap((folder) => sourceFiles(folder, SHIPPED));
    const calls = sources.flatMap((file) =>
      [...readFileSync(path.join(ROOT, file), 'utf8').matchAll(/crashPoint\('([^']*)'\)/g)].map(([, point]) => point),
    );
    expect(calls.sort()).toEqual([...CRASH_POINTS].sort());
  });
});
