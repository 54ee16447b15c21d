import { describeDoor } from './conformance/door';
import { describeImageEdits } from './conformance/image-edits';
import { describeImageGenerations } from './conformance/image-generations';
import { describeJsonBodies } from './conformance/json-bodies';
import { describeRawHttp } from './conformance/raw-http';
import { SlowBodies } from './conformance/slow-bodies';
import { Stand } from './conformance/stand';

/** The interface and the decisions, section by section, as a client meets them. One stack serves all: to boot costs more than most sections. */
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
  }, 30_000);

  describeDoor(stand);
  describeRawHttp(stand);
  describeImageGenerations(stand);
  describeImageEdits(stand);
  describeJsonBodies(stand);
  slowBodies.describe();
});
