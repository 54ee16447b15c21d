import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import type { ProvenanceCheck } from '@kinora/contracts/moderation/provenance.rpc';
import { runLine } from '../../test/cli.fixtures';

const CHECK: ProvenanceCheck = {
  object: 'provenance.check',
  result: 'match',
  credential: null,
  match: { exact: true, distance_bits: 0, created_at: '2026-11-20T09:00:00.000Z', model: 'general-image' },
};
const PNG = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(64)]);

describe('provenance check', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'kinora-provenance-'));
  const received: { url: string; type: string; body: Buffer }[] = [];
  let answer: { status: number; body: unknown } = { status: 200, body: CHECK };
  const api = createServer((request: IncomingMessage, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      received.push({
        url: request.url ?? '',
        type: request.headers['content-type'] ?? '',
        body: Buffer.concat(pieces),
      });
      response.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer.body));
    });
  });
  let url = '';

  beforeAll(async () => {
    await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(api.address() as AddressInfo).port}/v1`;
  });
  afterAll(() => {
    api.close();
    rmSync(folder, { recursive: true });
  });
  beforeEach(() => {
    received.length = 0;
    answer = { status: 200, body: CHECK };
  });

  const check = (bytes: Buffer, ...flags: string[]) => {
    const file = path.join(folder, 'file');
    writeFileSync(file, bytes);
    return runLine(['provenance', 'check', file, '--url', url, ...flags]);
  };

  it('sends the file under the type of its bytes, and prints what is known', async () => {
    const { exitCode, out } = await check(PNG, '--json');

    expect([exitCode, JSON.parse(out)]).toEqual([0, CHECK]);
    expect(received).toEqual([{ url: '/v1/provenance/check', type: 'image/png', body: PNG }]);
    expect((await check(PNG)).out).toMatch(/result +match\ncredential +-\nmatch.exact +true/);
  });

  it('sends nothing that is no image or video', async () => {
    const { exitCode, out } = await check(Buffer.from('#!/bin/sh'), '--json');

    expect([exitCode, JSON.parse(out)]).toMatchObject([1, { error: { code: 'invalid_body', param: 'file' } }]);
    expect(received).toEqual([]);
  });

  it('passes on the refusal of the API', async () => {
    answer = { status: 400, body: { error: { code: 'invalid_body', message: 'body: damaged', param: 'body' } } };

    const { exitCode, out } = await check(PNG, '--json');

    expect([exitCode, JSON.parse(out)]).toMatchObject([
      1,
      { error: { code: 'invalid_body', message: 'body: damaged' } },
    ]);
  });
});
