import { isInFlight, JOB_STATUSES } from './job';

describe('jobs in flight', () => {
  it('are the queued and the processing ones', () => {
    expect(JOB_STATUSES.filter(isInFlight)).toEqual(['queued', 'processing']);
  });
});
