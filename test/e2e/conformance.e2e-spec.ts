import { describeAccount, describeUsage } from './conformance/account';
import { describeLoras, describeModels } from './conformance/catalog';
import { describeAuthentication, describeForeignJobs } from './conformance/authentication';
import { describeCreations } from './conformance/creations';
import { describeEventLoop } from './conformance/event-loop';
import { describeFuzzedConnections, describeFuzzing } from './conformance/fuzz';
import { describeConflicts, describeReplays } from './conformance/idempotency';
import { describeImageSources, describeSeveralImages } from './conformance/image-sources';
import { describeJobList, describeJobs } from './conformance/jobs';
import { describeJsonBodies } from './conformance/json-bodies';
import { describeLimits, describeOrderOfChecks } from './conformance/limits';
import { describeOpenAiApi } from './conformance/openai-api';
import { describeOutputs, describeSizes } from './conformance/outputs';
import { describeQueries } from './conformance/queries';
import { describeRawHttp } from './conformance/raw-http';
import { describeRemoteImages } from './conformance/remote-images';
import { SlowBodies } from './conformance/slow-bodies';
import { TestBed } from './conformance/test-bed';

/**
 * The API and docs/decisions.md, section by section, over HTTP. All sections share one stack, because its start takes longer
 * than most of them.
 */
describe('conformance', () => {
  const testBed = new TestBed();
  const slowBodies = new SlowBodies();

  beforeAll(async () => {
    await testBed.start();
    await slowBodies.begin(testBed);
  }, 120_000);
  afterAll(async () => {
    slowBodies.end();
    await testBed.stop();
  });

  describeAuthentication(testBed);
  describeForeignJobs(testBed);
  describeRawHttp(testBed);
  describeCreations(testBed);
  describeJsonBodies(testBed);
  describeImageSources(testBed);
  describeSeveralImages(testBed);
  describeRemoteImages(testBed);
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
  describeSizes(testBed);
  describeEventLoop(testBed);
  describeOpenAiApi(testBed);
  describeFuzzing(testBed);
  describeFuzzedConnections(testBed);
  slowBodies.describe();
});
