import { matchPath } from './path-pattern';

const PATTERNS = ['/', '/jobs', '/jobs/:id'];

describe('the path of a page', () => {
  it.each([
    ['/', '/', {}],
    ['/jobs/', '/jobs', {}],
    ['/jobs/a%2Fb', '/jobs/:id', { id: 'a/b' }],
    ['/jobs/100%', '/jobs/:id', { id: '100%' }],
  ])('%s matches %s', (path, pattern, params) => {
    expect(matchPath(PATTERNS, path)).toEqual({ pattern, params });
  });

  it.each(['/job', '/jobs/1/2'])('%s is unknown', (path) => {
    expect(matchPath(PATTERNS, path)).toBeNull();
  });
});
