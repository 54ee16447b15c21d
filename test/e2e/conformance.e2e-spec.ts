import { describeAccount, describePing } from './conformance/account';
import { describeLoras, describeModels } from './conformance/catalog';
import { describeAuthentication, describeHeads, describeNowhere } from './conformance/door';
import { describeImageEdits } from './conformance/image-edits';
import { describeImageGenerations } from './conformance/image-generations';
import { describeEventLoop } from './conformance/event-loop';
import { describeFuzzedConnections, describeFuzzing } from './conformance/fuzz';
import { describeConflicts, describeReplays } from './conformance/idempotency';
import { describeImageSources, describeSeveralImages } from './conformance/image-sources';
import { describeJobList } from './conformance/job-list';
import { describeJobs } from './conformance/jobs';
import { describeJsonBodies } from './conformance/json-bodies';
import { describeLimits, describeOrderOfChecks } from './conformance/limits';
import { describeOutputs, describeSizes } from './conformance/outputs';
import { describeQueries } from './conformance/queries';
import { describeRawHttp } from './conformance/raw-http';
import { describeRemoteImages } from './conformance/remote-images';
import { SlowBodies } from './conformance/slow-bodies';
import { describeUsage } from './conformance/usage';
import { describeVideoGenerations } from './conformance/video-generations';
import { Stand } from './conformance/stand';

/** The API and docs/decisions.md, section by section, over HTTP. One stack serves all sections, because a boot takes longer than most of them. */
describe('conformance', () => {
  const stand = new Stand();
  const slowBodies = new SlowBodies();

  beforeAll(async () => {
    await stand.start();
    await slowBodies.begin(stand);
  }, 120_000);
  afterAll(async () => {
    slowBodies.end();
    await stand.stop();
  });

  describeAuthentication(stand);
  describeHeads(stand);
  describeNowhere(stand);
  describeRawHttp(stand);
  describeImageGenerations(stand);
  describeImageEdits(stand);
  describeVideoGenerations(stand);
  describeJsonBodies(stand);
  describeImageSources(stand);
  describeSeveralImages(stand);
  describeRemoteImages(stand);
  describeQueries(stand);
  describeJobs(stand);
  describeJobList(stand);
  describeUsage(stand);
  describeModels(stand);
  describeLoras(stand);
  describeAccount(stand);
  describePing(stand);
  describeOrderOfChecks(stand);
  describeConflicts(stand);
  describeReplays(stand);
  describeLimits(stand);
  describeOutputs(stand);
  describeSizes(stand);
  describeEventLoop(stand);
  describeFuzzing(stand);
  describeFuzzedConnections(stand);
  slowBodies.describe();
});
