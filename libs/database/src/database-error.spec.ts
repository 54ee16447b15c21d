import { ApiError } from '@kinora/contracts/shared/errors';
import { DatabaseError } from 'pg';
import { ReadOnlyServerError, isConnectionLost, toPublicError } from './database-error';

const withCode = (code: string): DatabaseError => Object.assign(new DatabaseError('refused', 0, 'error'), { code });

describe('an error of PostgreSQL', () => {
  it.each([
    ['a broken connection', '08006'],
    ['a read-only server', '25006'],
    ['no free connection slot', '53300'],
    ['a server that an administrator stops', '57P01'],
    ['a server that crashes', '57P02'],
    ['a server that starts or recovers', '57P03'],
  ])('drops the connection, and is 503 with Retry-After: %s', (_, code) => {
    expect(isConnectionLost(withCode(code))).toBe(true);
    expect(toPublicError(withCode(code))).toMatchObject({ status: 503, code: 'capacity', retryAfterSeconds: 1 });
  });

  it('drops a new connection to a server that only reads', () => {
    expect(isConnectionLost(new ReadOnlyServerError())).toBe(true);
    expect(toPublicError(new ReadOnlyServerError())).toBeInstanceOf(ApiError);
  });

  it.each([
    ['a full disk', '53100'],
    ['a lock that was not available', '55P03'],
    ['a statement that took too long', '57014'],
  ])('keeps the connection, and is 503: %s', (_, code) => {
    expect(isConnectionLost(withCode(code))).toBe(false);
    expect(toPublicError(withCode(code))).toMatchObject({ status: 503 });
  });

  it('passes unchanged if the statement is at fault', () => {
    const error = withCode('23505');
    expect(isConnectionLost(error)).toBe(false);
    expect(toPublicError(error)).toBe(error);
  });
});
