import { describeImageEdits } from './conformance/image-edits';
import { describeImageGenerations } from './conformance/image-generations';
import { describeJsonBodies } from './conformance/json-bodies';
import { Stand } from './conformance/stand';

/** The interface and the decisions, section by section, as a client meets them. One stack serves all: to boot costs more than most sections. */
describe('conformance', () => {
  const stand = new Stand();
  beforeAll(() => stand.start(), 120_000);
  afterAll(() => stand.stop(), 30_000);

  describeImageGenerations(stand);
  describeImageEdits(stand);
  describeJsonBodies(stand);
});
