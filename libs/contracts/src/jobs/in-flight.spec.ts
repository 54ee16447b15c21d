import { isInFlight } from './in-flight';
import { JOB_STATUSES } from './job';

describe('jobs in flight', () => {
  it('are those that wait and those that a provider works on', () => {
    expect(JOB_STATUSES.filter(isInFlight)).toEqual(['queued', 'processing']);
  });
});
