import { EXAMPLES } from '../../deploy/build/generate/openapi/examples';
import { webhookProblems } from './described-answers';

const EVENT = EXAMPLES.webhooks['job.failed'];
const HEADERS = {
  'x-service-event': 'job.failed',
  'x-service-delivery': EXAMPLES.jobId,
  'x-service-signature': `t=1795165204,v1=${'0'.repeat(64)},v1=${'1'.repeat(64)}`,
  'user-agent': 'Kinora-Webhooks/1.0',
};

describe('a webhook checked against the reference', () => {
  it('may be as described', () => {
    expect(webhookProblems(HEADERS, EVENT)).toEqual([]);
  });

  it.each([
    ['an undocumented key', {}, { ...EVENT, attempt: 2 }, /attempt/],
    ['the body of another event', {}, EXAMPLES.webhooks['job.canceled'], /body\/type must be equal to constant/],
    ['an undocumented type', { 'x-service-event': 'job.queued' }, EVENT, /^The event job\.queued is not described/],
    ['a signature without a time', { 'x-service-signature': 'v1=0' }, EVENT, /^X-Service-Signature must match/],
    ['no delivery id', { 'x-service-delivery': undefined }, EVENT, /^X-Service-Delivery must be string/],
  ])('may not have %s', (_, headers, body, problem) => {
    expect(webhookProblems({ ...HEADERS, ...headers }, body).join('\n')).toMatch(problem);
  });
});
