import { waitFor } from '@kinora/testing';
import { useJobs } from './jobs-service.fixtures';

describe('a backend that stops and restarts', () => {
  const fixture = useJobs();

  const linesOf = (event: string) => fixture.service.log.of(event);

  it('gets work as soon as it answers, for any Retry-After, with one log line for each change', async () => {
    const { worker } = fixture;
    // Its Retry-After is a minute, the longest pause of a circuit breaker.
    Object.assign(worker, { isDown: true, retryAfterSeconds: 60 });
    const refused = [await fixture.create(), await fixture.create(), await fixture.create()];
    await waitFor(() => linesOf('provider_unavailable').length === 1);
    expect(linesOf('provider_unavailable')).toMatchObject([{ provider: 'sandbox', cause: 'answered 503' }]);
    const before = worker.capacityReads;
    await waitFor(() => worker.capacityReads >= before + 3);
    Object.assign(worker, { isDown: false, retryAfterSeconds: 0 });
    const { job } = await fixture.create();
    expect(await fixture.whenEnded(job.id)).toMatchObject({ status: 'succeeded' });
    expect(linesOf('provider_unavailable')).toHaveLength(1);
    expect(linesOf('provider_available')).toMatchObject([
      { provider: 'sandbox', cause: 'it answers again', down_ms: expect.any(Number) as number },
    ]);
    await Promise.all(refused.map(({ job: { id } }) => fixture.cancel(id)));
  });

  it('is detected by polls alone if there is nothing to submit', async () => {
    const { worker } = fixture;
    worker.stateOnSubmit = 'running';
    const { job } = await fixture.create();
    await fixture.whenProcessing(job.id);
    const known = linesOf('provider_unavailable').length;
    const back = linesOf('provider_available').length;
    worker.isSilent = true;
    worker.isDown = true;
    await waitFor(() => linesOf('provider_unavailable').length === known + 1);
    worker.isSilent = false;
    worker.isDown = false;
    await waitFor(() => linesOf('provider_available').length === back + 1);
    worker.finishAll();
    expect(await fixture.whenEnded(job.id)).toMatchObject({ status: 'succeeded' });
  });
});
