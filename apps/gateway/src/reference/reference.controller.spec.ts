import { JOB } from '../../test/contexts.fixtures';
import { useGateway } from '../../test/gateway.fixtures';
import { REFERENCE_PATHS } from './reference.controller';

/** Routes that need no key, and their answers without a body. */
const OPEN: Record<string, number> = { '/ping': 200, '/provenance/check': 400 };

describe('reference', () => {
  const testBed = useGateway();

  it('is served without a key, and takes no rate-limit token', async () => {
    const { status, headers, json } = await testBed.client.sendBare('GET', '/openapi.json');
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.stringMatching(/^req_/),
    });
    expect(headers).not.toHaveProperty('ratelimit-remaining');
    expect(json()).toMatchObject({ openapi: '3.1.1', servers: [{ url: '/v1' }] });
    expect(testBed.contexts.requests).toEqual([]);
  });

  it.each([
    ['/openapi.json', '/v1'],
    ['/openai/openapi.json', '/openai/v1'],
  ])('%s describes only existing routes', async (document, server) => {
    const described = await testBed.client.sendBare('GET', document);
    const { paths, servers } = described.json<{ paths: Record<string, object>; servers: { url: string }[] }>();
    expect(servers[0]?.url).toBe(server);
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => [method.toUpperCase(), path.replace('{id}', JOB.id)] as const),
    );
    for (const [method, path] of operations) {
      const { status } = await testBed.client.sendBare(method, `${server}${path}`);
      expect([method, path, status]).toEqual([method, path, OPEN[path] ?? 401]);
    }
    expect(operations.length).toBeGreaterThan(7);
  });

  it.each(REFERENCE_PATHS)('sends /%s again only if it has changed', async (path) => {
    const { headers } = await testBed.client.sendBare('GET', `/${path}`);
    const again = await testBed.client.sendBare('GET', `/${path}`, { 'If-None-Match': `"other", W/${headers.etag}` });
    expect([again.status, again.bytes.length, again.headers.etag]).toEqual([304, 0, headers.etag]);
    expect((await testBed.client.sendBare('GET', `/${path}`, { 'If-None-Match': '"other"' })).status).toBe(200);
  });

  it.each(REFERENCE_PATHS)('describes /%s without sending it', async (path) => {
    const { headers, bytes } = await testBed.client.sendBare('GET', `/${path}`);
    const { date: _date, 'x-request-id': _id, ...described } = headers;
    const head = await testBed.client.sendBare('HEAD', `/${path}`);
    expect(head).toMatchObject({ status: 200, headers: described, bytes: Buffer.alloc(0) });
    expect(Number(headers['content-length'])).toBe(bytes.length);
  });

  it('is a page that loads only its own files, and contains no inline script', async () => {
    const { headers, bytes } = await testBed.client.sendBare('GET', '/docs');
    const page = bytes.toString();
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/);
    expect(headers['content-security-policy']).not.toMatch(/unsafe|http|\*/);
    const requestedUrls = [...page.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, url]) => url ?? '');
    const known = ['data:,', 'docs?document=openai', ...REFERENCE_PATHS];
    expect(requestedUrls.filter((url) => !known.includes(url))).toEqual([]);
    expect((await testBed.client.sendBare('GET', '/docs?document=openai')).bytes.toString()).toBe(page);
    expect(requestedUrls).toEqual(expect.arrayContaining(REFERENCE_PATHS.filter((path) => path !== 'docs')));
    expect(page).not.toMatch(/<style|<script>|\son\w+=|style=/);
  });

  it('has scripts and styles that load nothing from other origins', async () => {
    for (const path of ['docs/docs.css', 'docs/docs.js', 'docs/swagger-ui.css']) {
      const text = (await testBed.client.sendBare('GET', `/${path}`)).bytes.toString();
      expect(text.match(/(?:url\(|@import\s)(?!["']?data:)[^)]{0,80}|fetch\(["'][^)]*/g)).toBeNull();
    }
  });

  it.each([
    ['GET', '/docs/'],
    ['GET', '/docs/swagger-ui.js'],
    ['GET', '/docs/..%2fopenapi.json'],
    ['POST', '/docs'],
    ['GET', '/v1/docs'],
    ['GET', '/v1/openapi.json'],
  ])('answers %s %s with 404', async (method, path) => {
    const { status, error } = await testBed.client.sendBare(method, path);
    expect([status, error.code]).toEqual([404, 'not_found']);
  });
});
