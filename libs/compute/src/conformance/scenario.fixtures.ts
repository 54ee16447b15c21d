import type { Trial } from './trial.fixtures';

export interface Scenario {
  /** What the adapter does, as the second half of a test's title. */
  title: string;
  /** Lives it through; a failed expectation throws. */
  run: (trial: Trial) => Promise<void>;
}
