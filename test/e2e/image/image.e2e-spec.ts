import { readFile } from 'node:fs/promises';
import path from 'node:path';
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

  it('starts and judges without a route out, and tries to reach nothing outside of the machine', async () => {
    const attempt = await stack.run('--eval', {}, [`fetch('http://192.0.2.1/')`]).end();
    expect(attempt.output).toContain('ENETUNREACH');
    expect(await readFile(path.join(stack.writable, 'attempts'), 'utf8')).toBe('undefined: 192.0.2.1\n');
  });

  it('passes the test of the chart, which runs a job to its image and its charge', () => passesChartTest(stack));

  it('serves the pages of the console and the tools of mcp', () => servesPages(stack));

  it('reports to Docker whether a service is ready', () => reportsHealth(stack));

  it('ends every service in order on SIGTERM', () => endsOnSigterm(stack));
});
