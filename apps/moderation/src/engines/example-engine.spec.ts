import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import path from 'node:path';
import sharp from 'sharp';
import { gateOf } from '../../test/gate.fixtures';
import type { Gate } from '../gate/gate';
import { sha256Of } from '../judging/sha256';

const EXAMPLE = path.resolve(__dirname, '../../../../deploy/examples/moderation-engine.mjs');

describe('the example server of the contract', () => {
  let server: ChildProcess;
  let gate: Gate;

  beforeAll(async () => {
    server = spawn(process.execPath, [EXAMPLE, '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
    if (!server.stdout) throw new Error('The example server has no stdout.');
    const [line] = (await once(createInterface(server.stdout), 'line')) as [string];
    const url = line.replace('listening on ', '');
    const thresholds = '{ text: { risk: 0.9 }, image: { risk: 0.9 } }';
    gate = await gateOf(`engines: [{ type: http, url: "${url}", thresholds: ${thresholds} }]`);
    gate.trust();
  });

  afterAll(async () => {
    const exited = once(server, 'exit');
    server.kill();
    await exited;
  });

  const judge = (text: string) => gate.judge({ texts: [{ param: 'prompt', text }], images: [] });

  it('works with the gate: it passes texts and images, and blocks its word with its reason', async () => {
    const bytes = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#3a6' } })
      .png()
      .toBuffer();
    const image = { param: 'image', bytes, sha256: sha256Of(bytes) };

    const passed = await gate.judge({ texts: [{ param: 'prompt', text: 'a red boat' }], images: [image] });
    expect(passed.outcome).toBe('passed');
    const answered = passed.judgement.findings.filter(({ engine }) => engine === 'http');
    expect(answered.map(({ opinion }) => opinion.scores)).toEqual([{ risk: 0 }, { risk: 0 }]);
    expect(await judge('a Frobnicated boat')).toMatchObject({
      outcome: 'blocked',
      objection: { param: 'prompt', engine: 'http', reason: 'frobnicated' },
    });
  });
});
