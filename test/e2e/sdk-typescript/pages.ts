import path from 'node:path';
import { toWebhookEvent } from '@kinora/webhooks';
import ts from 'typescript';
import { codeBlocks } from '../../support/guide-steps';
import type { ClientTestBed } from './test-bed';

const PAGES = ['docs/sdk/typescript.md', 'docs/quickstart.md'];
const MODULES = { module: ts.ModuleKind.ES2022, target: ts.ScriptTarget.ES2022 };

/** The TypeScript of the documentation: all blocks of a page are one program. */
export function describePages(testBed: ClientTestBed): void {
  describe('the pages of the documentation', () => {
    it('have TypeScript that compiles and runs, block by block', async () => {
      const programs = await Promise.all(PAGES.map((page) => writeProgram(testBed, page)));
      expect(testBed.project.compile(programs.map(({ file }) => file))).toEqual([]);
      const { direct, client, webhookSecret } = await testBed.openAccount();
      const { id } = await client.generate({ model: 'fast-image', prompt: 'a lighthouse' });
      const event = JSON.stringify(toWebhookEvent('evt_1', await client.ended(id)));
      const env = { ...direct, WEBHOOK_SECRET: webhookSecret };
      const outputs = await Promise.all(
        programs.map(async ({ folder }) => {
          await testBed.project.write(`${folder}/event.json`, event);
          return await testBed.project.startIn(folder, 'page.mjs', [], env).succeeded();
        }),
      );
      for (const output of outputs) expect(output).toContain('the end of the page');
    }, 240_000);
  });
}

async function writeProgram({ project }: ClientTestBed, page: string): Promise<{ file: string; folder: string }> {
  const blocks = (await codeBlocks(page)).filter(({ language }) => language === 'ts').map(({ code }) => code);
  expect(blocks.length).toBeGreaterThan(3);
  const source = `${blocks.join('\n')}\nconsole.log('the end of the page');\n`;
  const folder = path.basename(page, '.md');
  await project.write(`${folder}/page.mjs`, ts.transpileModule(source, { compilerOptions: MODULES }).outputText);
  return { file: await project.write(`${folder}/page.mts`, source), folder };
}
