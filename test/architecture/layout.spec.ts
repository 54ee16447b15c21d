import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT, sourceFiles } from '../../deploy/build/source-files';
import { layoutProblems } from './layout';

const LOOP = 'this.loop = new WorkLoop({ run });';

describe('the layout of a context', () => {
  it('is the same everywhere', () => {
    const files = sourceFiles('apps', /\.ts$/).filter((file) => !file.endsWith('.spec.ts'));
    const problems = files.flatMap((file) => layoutProblems(file, readFileSync(path.join(ROOT, file), 'utf8')));
    expect(problems).toEqual([]);
  });

  it.each([
    ['apps/billing/src/account/http/account.controller.ts', '', 'move it to src'],
    ['apps/jobs/src/use-cases/get-job/get-job.use-case.ts', '', 'call it get-job.query.ts'],
    ['apps/jobs/src/use-cases/cancel-job/cancel-job.query.ts', '', 'call it cancel-job.use-case.ts'],
    ['apps/billing/src/api-key/pruner.ts', LOOP, 'move it to background'],
  ])('refuses %s', (file, text, remedy) => {
    const [problem, ...others] = layoutProblems(file, text);
    expect(problem).toContain(remedy);
    expect(others).toEqual([]);
  });
});
