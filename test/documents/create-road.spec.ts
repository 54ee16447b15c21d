import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../../deploy/build/source-files';
import { exportedNames, importsOf, isOfStory, roadSection } from './create-road';

const SHAPES = ['ImageGenerationBody', 'CreateJobRequest', 'NewJob', 'JobRow', 'Job'];
const MAPPINGS = ['toCommonFields', 'toNewJob', 'toJob'];
/** Files that the path's files import for other routes, or for names and numbers only. */
const BESIDE_THE_ROAD = [
  'apps/gateway/src/jobs/create-image-edit.use-case.ts',
  'apps/gateway/src/jobs/create-video-generation.use-case.ts',
  'libs/contracts/src/jobs/unkeyed-requests.rpc.ts',
  'libs/contracts/src/jobs/image-edit.body.ts',
  'libs/contracts/src/jobs/image-input.ts',
  'libs/contracts/src/jobs/video-generation.body.ts',
  'libs/contracts/src/jobs/job.body.ts',
  'libs/contracts/src/jobs/job-choices.ts',
  'libs/contracts/src/jobs/job.ts',
  'libs/contracts/src/jobs/jobs.events.ts',
  'libs/contracts/src/jobs/jobs-admin.rpc.ts',
  'libs/contracts/src/jobs/job-history.ts',
  'libs/contracts/src/jobs/usage.ts',
  'libs/contracts/src/jobs/quote.ts',
  'libs/contracts/src/jobs/receipt.ts',
  'libs/contracts/src/jobs/job-progress.ts',
];

describe('the path of a create, as the architecture page lists it', () => {
  const { files, text } = roadSection();

  it('has at most 12 files, each of which an earlier one imports, except for the entries', () => {
    expect(files.length).toBeGreaterThan(1);
    expect(files.length).toBeLessThanOrEqual(12);
    const entries = files.filter(
      (file, index) => !files.slice(0, index).some((before) => importsOf(before).includes(file)),
    );
    expect(entries).toEqual([
      'apps/gateway/src/jobs/creations.controller.ts',
      'apps/jobs/src/intake/intake.controller.ts',
      // Through `model-admission.ts`.
      'apps/jobs/src/intake/new-job.ts',
      // Through `certain-insert.ts`.
      'apps/jobs/src/job/job-insert.repository.ts',
      'apps/jobs/src/job/job.view.ts',
    ]);
    expect(text).toContain(`${files.length} files, ${SHAPES.length} shapes, ${MAPPINGS.length} mappings`);
  });

  it('declares its shapes and mappings, and the page names them', () => {
    const exported = files.flatMap((file) => exportedNames(file));
    expect(exported).toEqual(expect.arrayContaining([...SHAPES, ...MAPPINGS]));
    for (const name of [...SHAPES, ...MAPPINGS]) expect(text).toContain(`\`${name}\``);
  });

  it('lists every file of the path that its files import', () => {
    const imported = new Set(files.flatMap((file) => importsOf(file)).filter(isOfStory));
    const unnamed = [...imported].filter(
      (file) =>
        !files.includes(file) && !BESIDE_THE_ROAD.includes(file) && !text.includes(`\`${path.basename(file)}\``),
    );
    expect(unnamed).toEqual([]);
  });

  it('crosses the bus by the contract that the second controller handles', () => {
    const ends = ['apps/gateway/src/jobs/job-creations.ts', 'apps/jobs/src/intake/intake.controller.ts'];
    const [asks, handles] = ends.map((file) => readFileSync(path.join(ROOT, file), 'utf8'));
    expect(asks).toContain('jobsRpc.create,');
    expect(handles).toContain('@Handles(jobsRpc.create)');
  });
});
