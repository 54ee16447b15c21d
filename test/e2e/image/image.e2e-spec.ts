import { ImageStack, START_TIMEOUT_MS } from './image-stack';
import { createsImages, endsOnSigterm, passesChartTest, reportsHealth, servesPages } from './image-suite';
import { ImageTree } from './image-tree';

describe('image', () => {
  let stack: ImageStack;

  beforeAll(async () => {
    stack = await ImageStack.start(await ImageTree.assemble());
  }, START_TIMEOUT_MS);

  afterAll(() => stack.stop(), START_TIMEOUT_MS);

  it('runs every service from read-only files, without its own user, and creates an image that is charged', () =>
    createsImages(stack));

  it('passes the test of the chart, which runs a job to its image and its charge', () => passesChartTest(stack));

  it('serves the pages of the console and the tools of mcp', () => servesPages(stack));

  it('reports to Docker whether a service is ready', () => reportsHealth(stack));

  it('ends every service in order on SIGTERM', () => endsOnSigterm(stack));
});
