import path from 'node:path';
import { toWebhookEvent } from '@kinora/webhooks';
import ts from 'typescript';
import { codeBlocks } from '../../support/guide-steps';
import type { ClientTestBed } from './test-bed';

/** The TypeScript of the documentation: all blocks of a page are one program. */
export function describePages(testBed: ClientTestBed): void {
  describe.each(['docs/sdk/typescript.md', 'docs/quickstart.md'])('%s', (page) => {
    it('has TypeScript that compiles and runs, block by block', async () => {
      const blocks = (await codeBlocks(page)).filter(({ language }) => language === 'ts').map(({ code }) => code);
      expect(blocks.length).toBeGreaterThan(3);
      const source = `${blocks.join('\n')}\nconsole.log('the end of the page');\n`;
      const name = path.basename(page, '.md');
      const problems = testBed.project.compile(await testBed.project.write(`${name}/page.mts`, source));
      expect(problems).toEqual([]);
      const { outputText } = ts.transpileModule(source, {
        compilerOptions: { module: ts.ModuleKind.ES2022, target: ts.ScriptTarget.ES2022 },
      });
      await testBed.project.write(`${name}/page.mjs`, outputText);
      const { direct, client, webhookSecret } = await testBed.openAccount();
      const { id } = await client.generate({ model: 'fast-image', prompt: 'a lighthouse' });
      const event = JSON.stringify(toWebhookEvent('evt_1', await client.ended(id)));
      await testBed.project.write(`${name}/event.json`, event);
      const env = { ...direct, WEBHOOK_SECRET: webhookSecret };
      const output = await testBed.project.startIn(name, 'page.mjs', [], env).succeeded();
      expect(output).toContain('the end of the page');
    }, 240_000);
  });
}
