import type { Delivery, Job } from '../../api/customer';
import { jobTimeline } from './job-timeline';

const JOB = {
  ...{ status: 'succeeded', usage: { charged_micros: 0 }, error: null },
  ...{ created_at: '2026-03-01T00:00:00Z', started_at: null, completed_at: '2026-03-01T00:00:01Z' },
} as unknown as Job;
const DELIVERY = {
  ...{ status: 'delivered', url: 'https://shop.test:8443/hook', attempt_count: 2, last_response_status: 204 },
  ...{ last_error: null, created_at: '2026-03-01T00:00:02Z', completed_at: '2026-03-01T00:00:03Z' },
} as unknown as Delivery;

describe('the webhook at the end of a timeline', () => {
  it.each([
    ['its receiver', DELIVERY.url, 'shop.test:8443, 204, 2 attempts'],
    ['no receiver after the deletion of the content', '', '204, 2 attempts'],
  ])('names %s', (_what, url, detail) => {
    expect(jobTimeline(JOB, null, [{ ...DELIVERY, url }]).at(-1)).toMatchObject({ name: 'Webhook delivered', detail });
  });
});
