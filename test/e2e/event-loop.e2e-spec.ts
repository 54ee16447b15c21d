import { describeEventLoop } from './conformance/event-loop';
import { TestBed } from './conformance/test-bed';

describe('the event loop of the gateway', () => {
  const testBed = new TestBed();
  beforeAll(() => testBed.start(), 120_000);
  afterAll(() => testBed.stop());

  describeEventLoop(testBed);
});
