import { sourceFiles } from '../../deploy/build/source-files';
import { namingProblems } from './file-naming';

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
