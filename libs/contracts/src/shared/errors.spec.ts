import { ApiError, type ErrorCode, HTTP_STATUS_BY_TYPE, TYPE_BY_CODE, isErrorCode } from './errors';

const CODES = Object.keys(TYPE_BY_CODE) as ErrorCode[];

describe('api error', () => {
  it.each(CODES)('%s arrives unchanged', (code) => {
    const sent = new ApiError(code, 'Plain English.', { param: 'loras[1].url', retry_after_seconds: 7 });
    const arrived = ApiError.fromPayload(JSON.parse(JSON.stringify(sent.toPayload())) as never);
    expect(arrived).toBeInstanceOf(ApiError);
    expectSame(arrived, sent);
    expect(arrived.status).toBe(HTTP_STATUS_BY_TYPE[TYPE_BY_CODE[code]]);
  });

  it('arrives unchanged with a type other than the one of its code', () => {
    const sent = new ApiError('model_unavailable', 'Plain English.', { param: 'model', type: 'invalid_request_error' });
    const arrived = ApiError.fromPayload(JSON.parse(JSON.stringify(sent.toPayload())) as never);
    expectSame(arrived, sent);
    expect([arrived.code, arrived.type, arrived.status]).toEqual(['model_unavailable', 'invalid_request_error', 400]);
  });

  it('gives a retry time if a retry can help, and for no other code', () => {
    const advising = CODES.filter((code) => new ApiError(code, '').retryAfterSeconds !== undefined);
    expect(advising).toEqual(CODES.filter((code) => [429, 503].includes(new ApiError(code, '').status)));
  });

  it('leaves out absent fields', () => {
    expect(new ApiError('not_found', 'There is no such job.').toPayload()).toEqual({
      code: 'not_found',
      message: 'There is no such job.',
    });
  });

  it.each(['constructor', '__proto__', 'NOT_FOUND', '', null, 7])('has no code %j', (code) => {
    expect(isErrorCode(code)).toBe(false);
  });
});

/** For two errors, jest compares only the messages. */
function expectSame(arrived: ApiError, sent: ApiError): void {
  expect({ ...arrived, message: arrived.message }).toEqual({ ...sent, message: sent.message });
}
