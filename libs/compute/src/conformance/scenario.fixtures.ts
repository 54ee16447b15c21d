import type { Trial } from './trial.fixtures';

export interface Scenario {
  /** The second half of a test's title: what the adapter does. */
  title: string;
  /** Runs the scenario; a failed expectation throws. */
  run: (trial: Trial) => Promise<void>;
}
