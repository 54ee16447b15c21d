import { describeCrashes } from './sdk-typescript/crashes';
import { describeExamples } from './sdk-typescript/examples';
import { describeFaults } from './sdk-typescript/faults';
import { describeOperations } from './sdk-typescript/operations';
import { describePackage } from './sdk-typescript/package';
import { describePages } from './sdk-typescript/pages';
import { ClientTestBed } from './sdk-typescript/test-bed';

/** The TypeScript client as a developer installs it, against a whole stack that all sections share. */
describe('the TypeScript client', () => {
  const testBed = new ClientTestBed();

  beforeAll(() => testBed.start(), 180_000);
  afterAll(() => testBed.stop());

  describePackage(testBed);
  describeOperations(testBed);
  describeFaults(testBed);
  describeCrashes(testBed);
  describeExamples(testBed);
  describePages(testBed);
});
