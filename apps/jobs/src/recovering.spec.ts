import { waitFor } from '@kinora/testing';
import { JobsServiceFixture } from './fixtures/jobs-service.fixtures';

describe('a backend that goes and comes back', () => {
  let fixture: JobsServiceFixture;

  beforeAll(async () => {
    fixture = await JobsServiceFixture.start();
  });
  afterAll(() => fixture.close());

  const linesOf = (event: string) => fixture.service.log.of(event);

  it('gets work again as soon as it answers, however long it was to be left alone, with one line each way', async () => {
    const { worker } = fixture;
    // It wants to be left alone for a minute, which is all that a breaker would wait.
    Object.assign(worker, { isDown: true, retryAfterSeconds: 60 });
    const refused = [await fixture.create(), await fixture.create(), await fixture.create()];
    await waitFor(() => linesOf('provider_unavailable').length === 1);
    expect(linesOf('provider_unavailable')).toMatchObject([{ provider: 'sandbox', cause: 'answered 503' }]);
    const before = worker.capacityReads;
    await waitFor(() => worker.capacityReads >= before + 3);
    Object.assign(worker, { isDown: false, retryAfterSeconds: 0 });
    const { job } = await fixture.create();
    expect(await waitFor(() => fixture.ended(job.id))).toMatchObject({ status: 'succeeded' });
    expect(linesOf('provider_unavailable')).toHaveLength(1);
    expect(linesOf('provider_available')).toMatchObject([
      { provider: 'sandbox', cause: 'it answers again', down_ms: expect.any(Number) as number },
    ]);
    await Promise.all(refused.map(({ job: { id } }) => fixture.cancel(id)));
  });

  it('is noticed by those who ask for its tasks alone, where nothing is to be sent', async () => {
    const { worker } = fixture;
    worker.stateOnSubmit = 'running';
    const { job } = await fixture.create();
    await waitFor(async () => (await fixture.get(job.id)).status === 'processing');
    const known = linesOf('provider_unavailable').length;
    const back = linesOf('provider_available').length;
    worker.isSilent = true;
    worker.isDown = true;
    await waitFor(() => linesOf('provider_unavailable').length === known + 1);
    worker.isSilent = false;
    worker.isDown = false;
    await waitFor(() => linesOf('provider_available').length === back + 1);
    worker.finishAll();
    expect(await waitFor(() => fixture.ended(job.id))).toMatchObject({ status: 'succeeded' });
  });
});
