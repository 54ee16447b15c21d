import { queryString } from './query-string';

describe('a query string', () => {
  it('leaves out what is empty, and escapes the rest', () => {
    const params = { status: '', cursor: null, model: undefined, search: 'a&b', limit: 0 };
    expect([queryString(params), queryString({})]).toEqual(['?search=a%26b&limit=0', '']);
  });
});
