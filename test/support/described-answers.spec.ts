import { EXAMPLES } from '../../deploy/build/generate/openapi/examples';
import { type ReceivedAnswer, answerProblems } from './described-answers';

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

  it.each([
    ['an undocumented key', { body: { ...JOB, progress: 1 } }, /body must NOT have additional.*progress/],
    [
      'such a key at a deeper level',
      { body: { ...JOB, usage: { ...(JOB.usage as object), tokens: 1 } } },
      /body\/usage.*tokens/,
    ],
    [
      'such a key in the echo of the input, which allows further keys',
      { body: { ...JOB, input: { ...(JOB.input as object), object_key: 'inputs/1' } } },
      /body\/input.*object_key/,
    ],
    ['a missing key', { body: { ...JOB, metadata: undefined } }, /body must have required property 'metadata'/],
    ['null in a field that is not nullable', { body: { ...JOB, model: null } }, /body\/model must be string/],
    [
      'an invalid time',
      { body: { ...JOB, created_at: 'yesterday' } },
      /body\/created_at must match format "date-time"/,
    ],
    [
      'a fraction of a micro-USD',
      { body: { ...JOB, usage: { charged_micros: 0.5, charged_usd: 0, gpu_ms: null } } },
      /must be integer/,
    ],
    ['an undocumented status', { status: 418, body: JOB }, /^The status 418 is not described\.$/],
    [
      'a code that this status does not have',
      { status: 404, body: { error: { ...ERROR, code: 'capacity' } } },
      /error\/code must be equal/,
    ],
    [
      'another request id',
      { status: 404, body: { error: { ...ERROR, request_id: `req_${'1'.repeat(24)}` } } },
      /^request_id is not/,
    ],
    ['no rate limit', { headers: { 'RateLimit-Remaining': null } }, /^RateLimit-Remaining is missing\.$/],
    ['half a token', { headers: { 'RateLimit-Remaining': '0.5' } }, /^RateLimit-Remaining must be integer/],
    [
      'a header that does not belong to the response',
      { headers: { 'Retry-After': '1' } },
      /^Retry-After is not described here\.$/,
    ],
    ['another content type', { headers: { 'Content-Type': 'text/html' } }, /^The Content-Type is text\/html\.$/],
  ])('may not have %s', (_, answer, problem) => {
    expect(problemsOf({ body: JOB, ...answer }).join('\n')).toMatch(problem);
  });

  it('must be an error where there is no operation', () => {
    expect(answerProblems('GET', '/nowhere', received({ status: 404, body: { error: ERROR } }))).toEqual([]);
    expect(answerProblems('PUT', '/jobs', received({ body: JOB }))).toEqual(['There is no such operation.']);
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
