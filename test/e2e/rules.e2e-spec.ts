import { describeAccount, describePing } from './conformance/account';
import { describeAuthentication, describeHeads, describeNowhere } from './conformance/authentication';
import { describeLoras, describeModels } from './conformance/catalog';
import { describeConflicts, describeReplays } from './conformance/idempotency';
import { describeImageEdits } from './conformance/image-edits';
import { describeImageGenerations } from './conformance/image-generations';
import { describeSeveralImages } from './conformance/image-sources';
import { describeJobList } from './conformance/job-list';
import { describeJobs } from './conformance/jobs';
import { describeJsonBodies } from './conformance/json-bodies';
import { describeLimits, describeOrderOfChecks } from './conformance/limits';
import { describeOutputs, describeSizes } from './conformance/outputs';
import { describeQueries } from './conformance/queries';
import { TestBed } from './conformance/test-bed';
import { describeUsage } from './conformance/usage';
import { describeVideoGenerations } from './conformance/video-generations';

/**
 * The rules of the API and of docs/decisions.md, section by section, over HTTP: nearly a thousand rows of a few milliseconds each. Webhooks
 * and moderation are in jobs.main-flow.e2e-spec.ts, what takes long or attacks the service in conformance.e2e-spec.ts.
 */
describe('the rules of the API', () => {
  const testBed = new TestBed();

  beforeAll(() => testBed.start(), 120_000);
  afterAll(() => testBed.stop());

  describeAuthentication(testBed);
  describeHeads(testBed);
  describeNowhere(testBed);
  describeImageGenerations(testBed);
  describeImageEdits(testBed);
  describeVideoGenerations(testBed);
  describeJsonBodies(testBed);
  describeSeveralImages(testBed);
  describeQueries(testBed);
  describeJobs(testBed);
  describeJobList(testBed);
  describeUsage(testBed);
  describeModels(testBed);
  describeLoras(testBed);
  describeAccount(testBed);
  describePing(testBed);
  describeOrderOfChecks(testBed);
  describeConflicts(testBed);
  describeReplays(testBed);
  describeLimits(testBed);
  describeOutputs(testBed);
  describeSizes(testBed);
});
