/** Verbs of use cases that only read: their file is a query. A `verify` may cache its result. */
export const READING = /^(?:get|list|find|show|check|quote|resolve|examine|replay)-/;
const CONTEXT = /^apps\/(?:jobs|billing|moderation|catalog|webhook-dispatcher)\/src\//;
const LOOP = /\bnew WorkLoop\(/;

/** The problems of a file's place, one sentence each. The path is relative to the root; the text is read too. */
export function layoutProblems(file: string, text: string): string[] {
  const folders = file.split('/');
  const name = folders.pop() ?? '';
  const [folder = '', parent = ''] = [folders.at(-1), folders.at(-2)];
  const problems: string[] = [];
  if (CONTEXT.test(file) && name.endsWith('.controller.ts') && folder !== 'src' && parent !== 'src')
    problems.push('move it to src, or to the folder of its feature: controllers are the public API of a context');
  if (parent === 'use-cases' && READING.test(folder) && name.startsWith(`${folder}.use-case.`))
    problems.push(`call it ${folder}.query.ts: it only reads`);
  if (
    parent === 'use-cases' &&
    !READING.test(folder) &&
    !folder.startsWith('verify-') &&
    name.startsWith(`${folder}.query.`)
  )
    problems.push(`call it ${folder}.use-case.ts, or name the folder with a verb that reads`);
  if (CONTEXT.test(file) && LOOP.test(text) && !folders.includes('background'))
    problems.push('move it to background: it runs a loop');
  return problems.map((problem) => `${file}: ${problem}.`);
}
