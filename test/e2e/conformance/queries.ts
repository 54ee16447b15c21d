import { expectEnvelope } from './resources';
import type { TestBed } from './test-bed';

type QueryRow = [query: string, param: string];

const WRONG_QUERIES: Record<string, QueryRow[]> = {
  '/jobs': [
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=', 'limit'],
    ['limit=1.0', 'limit'],
    ['limit=01', 'limit'],
    ['limit=%205', 'limit'],
    ['limit=1&limit=2', 'limit'],
    ['limit[]=1', 'limit[]'],
    ['cursor=', 'cursor'],
    ['cursor=nonsense', 'cursor'],
    [`cursor=${'a'.repeat(200)}`, 'cursor'],
    [`cursor=${'a'.repeat(201)}`, 'cursor'],
    ['cursor=%ff', 'cursor'],
    ['status=', 'status'],
    ['status=done', 'status'],
    ['status=queued&status=failed', 'status'],
    [`model=${'a'.repeat(65)}`, 'model'],
    [`model=${encodeURIComponent('😀'.repeat(65))}`, 'model'],
    ['model=%00', 'model'],
    ['page=2', 'page'],
    ['Limit=2', 'Limit'],
    ['__proto__=1', '__proto__'],
    ['limit=0&status=done', 'limit'],
    ['status=done&limit=0', 'limit'],
  ],
  '/usage': [
    ['from=', 'from'],
    ['from=yesterday', 'from'],
    ['from=2026-11-31', 'from'],
    ['from=2025-02-29', 'from'],
    ['from=2026-11-20T25:00:00Z', 'from'],
    ['from=2016-12-31T23:59:60Z', 'from'],
    [`from=${'2026-11-20T10:00:00.'.padEnd(40, '0')}Z`, 'from'],
    ['to=2026-11-31', 'to'],
    ['to=%00', 'to'],
    ['from=2026-11-20&to=2026-11-20', 'from'],
    ['group_by=', 'group_by'],
    ['group_by=hour', 'group_by'],
    ['by=day', 'by'],
  ],
  '/loras': [
    ['model=%00', 'model'],
    ['model=a&model=b', 'model'],
    ['models=a', 'models'],
  ],
};
/** Their errors include no 400 (decisions: Request bodies). */
const IGNORED_QUERIES = ['/models?type=image', '/account?x', '/ping?x=1&x=%ff'];

export function describeQueries(testBed: TestBed): void {
  it.each(IGNORED_QUERIES)('GET %s ignores the query', async (path) => {
    expect((await testBed.client.get(path)).status).toBe(200);
  });

  describe.each(Object.entries(WRONG_QUERIES))('GET %s', (path, rows) => {
    it.each(rows)('?%s is refused', async (query, param) => {
      expectEnvelope(await testBed.client.get(`${path}?${query}`), { status: 400, code: 'invalid_query', param });
    });
  });
}
