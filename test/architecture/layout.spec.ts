import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT, sourceFiles } from '../../deploy/build/source-files';
import { layoutProblems, namingProblems } from './layout';

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

describe('file names', () => {
  it('name the role of each file', () => {
    // A declaration file describes a package without types, and has the name of that package.
    const files = ['apps', 'libs', 'deploy', 'test'].flatMap((folder) => sourceFiles(folder, /(?<!\.d)\.ts$/));
    expect(files.flatMap(namingProblems)).toEqual([]);
  });

  it.each([
    ['apps/jobs/src/CancelJob.ts', 'CancelJob is not kebab-case'],
    ['apps/jobs/src/useCases/cancel-job.use-case.ts', 'useCases is not kebab-case'],
    ['apps/jobs/src/20260101T0900-create-jobs.ts', '20260101T0900-create-jobs is not kebab-case'],
    ['apps/jobs/src/job/job.thing.ts', 'thing is no role'],
    ['apps/jobs/src/job/job.thing.spec.ts', 'thing is no role'],
    ['apps/jobs/src/job-utils.ts', 'job-utils does not say what the file holds'],
    ['apps/jobs/src/common/job.ts', 'common does not say what the file holds'],
    ['apps/jobs/src/job/types.ts', 'types does not say what the file holds'],
    ['apps/jobs/src/job/index.ts', 'only a library has an index'],
    ['libs/contracts/src/jobs/index.ts', 'only a library has an index'],
  ])('refuse %s', (file, problem) => {
    expect(namingProblems(file)).toEqual([expect.stringContaining(`${file}: ${problem}`)]);
  });
});
