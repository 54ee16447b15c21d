import { EXAMPLES } from '../../deploy/build/generate/openapi/examples';
import { type ReceivedAnswer, answerProblems, webhookProblems } from './described-answers';

const JOB = EXAMPLES.operations.getJob?.[200] as Record<string, unknown>;
const HEADERS = {
  'Content-Type': 'application/json; charset=utf-8',
  'X-Request-Id': `req_${'0'.repeat(24)}`,
  'RateLimit-Limit': '60',
  'RateLimit-Remaining': '59',
};
const ERROR = {
  type: 'not_found',
  code: 'not_found',
  message: 'There is no such job.',
  request_id: HEADERS['X-Request-Id'],
};

describe('a response checked against the reference', () => {
  it('may be as described', () => {
    expect(problemsOf({ body: JOB })).toEqual([]);
    expect(problemsOf({ status: 404, body: { error: ERROR } })).toEqual([]);
    expect(problemsOf({ body: { ...JOB, output: null, expires_at: null, metadata: null } })).toEqual([]);
  });

  it.each<[Difference, RegExp]>([
    [{ body: { ...JOB, progress: 1 } }, /body must NOT have additional.*progress/],
    [{ body: { ...JOB, usage: { ...(JOB.usage as object), tokens: 1 } } }, /body\/usage.*tokens/],
    [{ body: { ...JOB, input: { ...(JOB.input as object), object_key: 'inputs/1' } } }, /body\/input.*object_key/],
    [{ body: { ...JOB, metadata: undefined } }, /body must have required property 'metadata'/],
    [{ body: { ...JOB, created_at: 'yesterday' } }, /body\/created_at must match format "date-time"/],
    [{ status: 418 }, /^The status 418 is not described\.$/],
    [{ status: 404, body: { error: { ...ERROR, code: 'capacity' } } }, /error\/code must be equal/],
    [{ status: 404, body: { error: { ...ERROR, request_id: `req_${'1'.repeat(24)}` } } }, /^request_id is not/],
    [{ headers: { 'RateLimit-Remaining': null } }, /^RateLimit-Remaining is missing\.$/],
    [{ headers: { 'RateLimit-Remaining': '0.5' } }, /^RateLimit-Remaining must be integer/],
    [{ headers: { 'Retry-After': '1' } }, /^Retry-After is not described here\.$/],
    [{ headers: { 'Content-Type': 'text/html' } }, /^The Content-Type is text\/html\.$/],
  ])('may not differ so: %#, %s', (difference, problem) => {
    expect(problemsOf({ body: JOB, ...difference }).join('\n')).toMatch(problem);
  });

  it('may be a delivery whose address is deleted with the content of its job', () => {
    const body = { ...(EXAMPLES.operations.getDelivery?.[200] as object), url: '' };
    expect(answerProblems('GET', `/webhooks/deliveries/${EXAMPLES.jobId}`, received({ body }))).toEqual([]);
  });

  it('must be an error where there is no operation', () => {
    expect(answerProblems('GET', '/nowhere', received({ status: 404, body: { error: ERROR } }))).toEqual([]);
    expect(answerProblems('PUT', '/jobs', received({ body: JOB }))).toEqual(['There is no such operation.']);
  });
});

describe('a webhook checked against the reference', () => {
  const event = EXAMPLES.webhooks['job.failed'];
  const sent = {
    'x-service-event': 'job.failed',
    'x-service-delivery': EXAMPLES.jobId,
    'x-service-signature': `t=1795165204,v1=${'0'.repeat(64)},v1=${'1'.repeat(64)}`,
    'user-agent': 'Kinora-Webhooks/1.0',
  };

  it.each([
    [{}, { ...event, attempt: 2 }, /attempt/],
    [{}, EXAMPLES.webhooks['job.canceled'], /body\/type must be equal to constant/],
    [{ 'x-service-event': 'job.queued' }, event, /^The event job\.queued is not described/],
    [{ 'x-service-signature': 'v1=0' }, event, /^X-Service-Signature must match/],
  ])('may be as described, and not with %j', (headers, body, problem) => {
    expect(webhookProblems(sent, event)).toEqual([]);
    expect(webhookProblems({ ...sent, ...headers }, body).join('\n')).toMatch(problem);
  });
});

interface Difference {
  status?: number;
  headers?: Record<string, string | null>;
  body?: unknown;
}

function problemsOf(answer: Difference): string[] {
  return answerProblems('GET', `/jobs/${EXAMPLES.jobId}?x=1`, received(answer));
}

function received({ status = 200, headers = {}, body }: Difference): ReceivedAnswer {
  const present = Object.entries({ ...HEADERS, ...headers }).filter(
    (entry): entry is [string, string] => entry[1] !== null,
  );
  return { status, headers: new Headers(present), body: JSON.parse(JSON.stringify(body)) as unknown };
}
