import { describeAccount, describeUsage } from './conformance/account';
import { describeAuthentication, describeForeignJobs } from './conformance/authentication';
import { describeLoras, describeModels } from './conformance/catalog';
import { describeCreations } from './conformance/creations';
import { describeConflicts, describeReplays } from './conformance/idempotency';
import { describeSeveralImages } from './conformance/image-sources';
import { describeJobList, describeJobs } from './conformance/jobs';
import { describeJsonBodies } from './conformance/json-bodies';
import { describeLimits, describeOrderOfChecks } from './conformance/limits';
import { describeOutputs } from './conformance/outputs';
import { describeProvenance } from './conformance/provenance';
import { describeQueries } from './conformance/queries';
import { TestBed } from './conformance/test-bed';

/**
 * The rules of the API and of docs/decisions.md, section by section, over HTTP: nearly a thousand rows of a few milliseconds each. Webhooks
 * are in jobs.main-flow.e2e-spec.ts, what takes long or attacks the service in conformance.e2e-spec.ts.
 */
describe('the rules of the API', () => {
  const testBed = new TestBed();

  beforeAll(() => testBed.start(), 120_000);
  afterAll(() => testBed.stop());

  describeAuthentication(testBed);
  describeForeignJobs(testBed);
  describeCreations(testBed);
  describeJsonBodies(testBed);
  describeSeveralImages(testBed);
  describeQueries(testBed);
  describeJobs(testBed);
  describeJobList(testBed);
  describeModels(testBed);
  describeLoras(testBed);
  describeAccount(testBed);
  describeUsage(testBed);
  describeOrderOfChecks(testBed);
  describeConflicts(testBed);
  describeReplays(testBed);
  describeLimits(testBed);
  describeOutputs(testBed);
  describeProvenance(testBed);
});
