import type { Job } from '@kinora/contracts/jobs/job';
import type { HttpsReceiver } from '@kinora/testing';
import { gzipSync } from 'node:zlib';
import { heavyPng, whitePng } from './images';
import { expectEnvelope } from './resources';
import { DELAY, type TestBed } from './test-bed';

type RemoteAnswer = HttpsReceiver['answer'];

const MIB = 1024 * 1024;
const PNG = whitePng(64, 80);

const ACCEPTED: [what: string, answer: RemoteAnswer][] = [
  ['a PNG', (_, response) => response.writeHead(200, { 'Content-Type': 'image/png' }).end(PNG)],
  ['a PNG of a wrong type', (_, response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end(PNG)],
  ['a PNG without a type, in pieces', (_, response) => inPieces(response, PNG)],
  ['10 MiB', (_, response) => response.end(heavyPng(10 * MIB))],
];

const SVG = '<svg xmlns="http://www.w3.org/2000/svg"/>';
const GZIP = { 'Content-Encoding': 'gzip' };
const REFUSED: [what: string, problem: string, answer: RemoteAnswer][] = [
  ['a redirect', 'unreachable', (_, response) => response.writeHead(302, { Location: '/b' }).end()],
  ['404', 'unreachable', (_, response) => response.writeHead(404).end(PNG)],
  ['500', 'unreachable', (_, response) => response.writeHead(500).end(PNG)],
  ['a part', 'unreachable', (_, response) => response.writeHead(206).end(PNG)],
  ['no answer', 'unreachable', (_, response) => response.destroy()],
  ['a truncated response', 'unreachable', (_, response) => cutOff(response)],
  ['a byte more than 10 MiB', 'too large', (_, response) => response.end(heavyPng(10 * MIB + 1))],
  ['a response that never ends', 'too large', (_, response) => endless(response)],
  ['a page', 'not an image', (_, response) => response.end('<!doctype html>')],
  ['an SVG', 'not an image', (_, response) => response.end(SVG)],
  ['nothing', 'not an image', (_, response) => response.end()],
  ['an image that is too small', 'not an image', (_, response) => response.end(whitePng(63, 64))],
  ['less data than it claims', 'not an image', (_, answer) => answer.end(whitePng(64, 64, { claimed: [64, 128] }))],
  ['an unrequested gzip', 'not an image', (_, response) => response.writeHead(200, GZIP).end(gzipSync(PNG))],
  ['silence', 'unreachable', () => undefined],
];

/** image-input.service.spec.ts has all of them. */
const BLOCKED = ['https://127.0.0.1/a.png', 'https://169.254.169.254/latest/meta-data/'];

export function describeRemoteImages(testBed: TestBed): void {
  const edit = <Body>(image: string) => testBed.client.post<Body>('/images/edits', { prompt: DELAY, image });

  describe('POST /images/edits: an image by URL', () => {
    it.each(ACCEPTED)('%s is accepted', async (_, answer) => {
      testBed.receiver.answer = answer;
      const { status, body } = await edit<Job>(testBed.remote('/a.png'));
      expect([status, body.input]).toMatchObject([202, { image: { mime: 'image/png', width: 64 } }]);
      await testBed.client.post(`/jobs/${body.id}/cancel`);
    });

    it.each(REFUSED)('%s is refused: %s', async (_, problem, answer) => {
      testBed.receiver.answer = answer;
      const refusal = await edit(testBed.remote('/secret-path'));
      expectEnvelope(refusal, { status: 400, code: 'invalid_body', param: 'image' });
      expect(refusal.body).toMatchObject({ error: { message: `image: ${problem}` } });
    });

    it.each(BLOCKED)('%s is refused without a connection', async (url) => {
      const refusal = await edit(url);
      expectEnvelope(refusal, { status: 400, code: 'invalid_body', param: 'image' });
      expect(refusal.body).toMatchObject({ error: { message: 'image: blocked address' } });
    });

    it('a host name that does not resolve is refused', async () => {
      const refusal = await edit('https://nobody.invalid/a.png');
      expectEnvelope(refusal, { status: 400, code: 'invalid_body', param: 'image' });
      expect(refusal.body).toMatchObject({ error: { message: 'image: unreachable' } });
    });

    it('three redirects are followed and no more, and the API key of the client is not passed on', async () => {
      testBed.receiver.requests.length = 0;
      testBed.receiver.answer = (_, response) => response.writeHead(307, { Location: testBed.remote('/second') }).end();
      expectEnvelope(await edit(testBed.remote('/first')), { status: 400, code: 'invalid_body', param: 'image' });
      expect(testBed.receiver.requests.map(({ path }) => path)).toEqual(['/first', '/second', '/second', '/second']);
      for (const { headers } of testBed.receiver.requests) expect(headers).not.toHaveProperty('authorization');
    });

    it('is named by its index among several', async () => {
      testBed.receiver.answer = (_, response) => response.writeHead(404).end();
      const answer = await testBed.client.post('/images/edits', {
        prompt: 'a',
        images: [testBed.remote('/'), 'nonsense'],
      });
      expectEnvelope(answer, { status: 400, code: 'invalid_body', param: 'images[0]' });
    });
  });
}

type Response = Parameters<RemoteAnswer>[1];

function inPieces(response: Response, bytes: Buffer): void {
  response.write(bytes.subarray(0, 10));
  response.end(bytes.subarray(10));
}

function cutOff(response: Response): void {
  response.writeHead(200, { 'Content-Length': PNG.length });
  response.write(PNG.subarray(0, 40), () => response.destroy());
}

function endless(response: Response): void {
  const piece = Buffer.alloc(MIB);
  const more = (): void => void response.write(piece, (error) => !error && more());
  more();
}
