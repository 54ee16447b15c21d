import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { ROOT } from '../../source-files';
import type { GeneratedFiles } from '../generated-files';

const PACKAGE = 'libs/sdk-python/src/kinora';
/** Each is made of the asynchronous module of the same name: `_client.py` of `_async_client.py`. */
const MODULES = ['client', 'resources', 'administration'];

/** What is written otherwise without an event loop. Every other token is the same in both halves. */
const TOKENS: readonly (readonly [RegExp, string])[] = [
  [/\basync (?=def|for|with)/g, ''],
  [/\bawait /g, ''],
  [/\b__a(?=(enter|exit|iter|next)__)/g, '__'],
  [/\baclose\b/g, 'close'],
  [/\b_async_(?=\w)/g, '_'],
  [/\bAsync(?=[A-Z])/g, ''],
  [/\basynchronous\b/g, 'blocking'],
  [/ for asyncio\b/g, ''],
];

/** The blocking half of the Python client: the asynchronous one without `await`. */
export async function blockingHalf(): Promise<GeneratedFiles> {
  const files = MODULES.map(async (name) => {
    const source = `_async_${name}.py`;
    const text = await readFile(path.join(ROOT, PACKAGE, source), 'utf8');
    return [`${PACKAGE}/_${name}.py`, toBlocking(text, source)] as const;
  });
  return Object.fromEntries(await Promise.all(files));
}

export function toBlocking(text: string, source: string): string {
  const header = `# Generated from ${source} by \`npm run generate -- python\`: do not edit.\n`;
  return header + TOKENS.reduce((written, [token, instead]) => written.replaceAll(token, instead), text);
}
