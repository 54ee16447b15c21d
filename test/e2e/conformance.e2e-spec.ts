import { describeLargeBodies } from './conformance/event-loop';
import { describeDescribedRequests } from './conformance/described-requests';
import { describeFuzzedConnections, describeFuzzing } from './conformance/fuzz';
import { describeImageSources } from './conformance/image-sources';
import { describeOpenAiApi } from './conformance/openai-api';
import { describeRawHttp } from './conformance/raw-http';
import { describeRemoteImages } from './conformance/remote-images';
import { SlowBodies } from './conformance/slow-bodies';
import { TestBed } from './conformance/test-bed';

/** What large, slow, malformed and random requests get, on a stack of its own whose limits they do not reach. */
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

  describeRawHttp(testBed);
  describeImageSources(testBed);
  describeRemoteImages(testBed);
  describeLargeBodies(testBed);
  describeOpenAiApi(testBed);
  describeFuzzing(testBed);
  describeDescribedRequests(testBed);
  describeFuzzedConnections(testBed);
  slowBodies.describe();
});
