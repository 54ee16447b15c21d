import { sourceFiles } from '../../deploy/build/source-files';
import { namingProblems } from './file-naming';

describe('file names', () => {
  it('name the role of each file', () => {
    // A declaration file describes a package without types, and has the name of that package.
    const files = ['apps', 'libs', 'deploy', 'test'].flatMap((folder) => sourceFiles(folder, /(?<!\.d)\.ts$/));
    expect(files.flatMap(namingProblems)).toEqual([]);
  });

  it.each([
    ['apps/jobs/src/CancelJob.ts', 'CancelJob is not kebab-case: write it in lower case, with hyphens.'],
    [
      'apps/jobs/src/useCases/cancel-job.use-case.ts',
      'useCases is not kebab-case: write it in lower case, with hyphens.',
    ],
    [
      'apps/jobs/src/20260101T0900-create-jobs.ts',
      '20260101T0900-create-jobs is not kebab-case: write it in lower case, with hyphens.',
    ],
    [
      'apps/jobs/src/job/job.thing.ts',
      'thing is no role: leave it out, or use a role of test/architecture/file-naming.ts.',
    ],
    [
      'apps/jobs/src/job/job.thing.spec.ts',
      'thing is no role: leave it out, or use a role of test/architecture/file-naming.ts.',
    ],
    ['apps/jobs/src/job-utils.ts', 'job-utils does not say what the file holds: name the file after its content.'],
    ['apps/jobs/src/common/job.ts', 'common does not say what the file holds: name the file after its content.'],
    ['apps/jobs/src/job/types.ts', 'types does not say what the file holds: name the file after its content.'],
    ['apps/jobs/src/job/index.ts', 'only a library has an index: import the file itself.'],
    ['libs/contracts/src/jobs/index.ts', 'only a library has an index: import the file itself.'],
  ])('refuse %s', (file, problem) => {
    expect(namingProblems(file)).toEqual([`${file}: ${problem}`]);
  });

  it.each([
    'apps/jobs/src/use-cases/cancel-job/cancel-job.use-case.spec.ts',
    'apps/jobs/src/migrations/20260101T0900-create-jobs.ts',
    'apps/sandbox/src/paint/media-types.ts',
    'libs/bus/src/index.ts',
    'test/e2e/jobs.cancel.e2e-spec.ts',
  ])('allow %s', (file) => {
    expect(namingProblems(file)).toEqual([]);
  });
});
