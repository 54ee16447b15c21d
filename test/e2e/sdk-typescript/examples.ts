import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { waitFor } from '@kinora/testing';
import { toWebhookEvent, webhookHeaders } from '@kinora/webhooks';
import { ROOT } from '../../../deploy/build/source-files';
import type { ClientTestBed } from './test-bed';

const PATIENT = { timeoutMs: 60_000 };

export function describeExamples(testBed: ClientTestBed): void {
  const install = async (name: string): Promise<string> => {
    const content = await readFile(path.join(ROOT, 'libs/sdk-typescript/examples', `${name}.mjs`), 'utf8');
    await testBed.project.write(`${name}/${name}.mjs`, content);
    return path.join(testBed.project.folder, name);
  };

  describe('the examples', () => {
    it('batch: makes every image, and pays nothing when it is run again', async () => {
      const folder = await install('batch');
      const { direct, spentMicros } = await testBed.openAccount();
      for (const count of [30, 10]) {
        const output = await testBed.project.startIn('batch', 'batch.mjs', [String(count)], direct).succeeded();
        expect(output).toContain(`] ${count}/${count}`);
        expect(output).toContain(`${count} images in batch/, 0 failed.`);
        expect(await readdir(path.join(folder, 'batch'))).toHaveLength(30);
        expect(await spentMicros()).toBe(150_000);
      }
    }, 240_000);

    it('webhook-server: takes genuine webhooks once, and refuses others', async () => {
      await install('webhook-server');
      const { direct, client, webhookSecret } = await testBed.openAccount();
      const env = { ...direct, WEBHOOK_SECRET: webhookSecret, PORT: '0' };
      const server = testBed.project.startIn('webhook-server', 'webhook-server.mjs', [], env);
      const port = await waitFor(() => /Listening on (\d+)/.exec(server.output)?.[1], PATIENT);
      const { id } = await client.generate({ model: 'fast-image', prompt: 'a lighthouse' });
      const event = toWebhookEvent('evt_1', await client.ended(id));
      const body = Buffer.from(JSON.stringify(event));
      const send = (secret: string) => {
        const delivery = { deliveryId: id, eventType: event.type, body, secrets: [secret] };
        return fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers: webhookHeaders(delivery), body });
      };
      expect((await send('whsec_other')).status).toBe(400);
      for (let delivery = 0; delivery < 2; delivery++) expect((await send(webhookSecret)).status).toBe(204);
      await waitFor(() => server.output.includes(`saved webhooks/${id}-0.png`), PATIENT);
      expect(server.output.match(/job\.succeeded/g)).toHaveLength(1);
      await server.kill();
    });

    it('edit-pipeline: draws, edits and keeps receipts', async () => {
      const folder = await install('edit-pipeline');
      const { direct } = await testBed.openAccount();
      const output = await testBed.project.startIn('edit-pipeline', 'edit-pipeline.mjs', [], direct).succeeded();
      expect(output).toMatch(/two drafts cost 0\.04 USD\ndraft: 0\.04 USD\nnight: 0\.\d+ USD\n/);
      const files = (await readdir(folder)).filter((file) => !file.endsWith('.mjs')).sort();
      expect(files).toHaveLength(8);
    });

    it('agent: is bounded in money and time', async () => {
      await install('agent');
      const { direct } = await testBed.openAccount();
      const output = await testBed.project.startIn('agent', 'agent.mjs', [], direct).succeeded();
      const results = output
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line.replace(/^\w+ /, '')) as Record<string, unknown>);
      expect(results).toMatchObject([
        { error: 'too_expensive' },
        { job_id: expect.any(String) as string },
        { status: 'succeeded', images: [{ width: 512 }] },
        { error: 'not_found' },
      ]);
    });
  });
}
