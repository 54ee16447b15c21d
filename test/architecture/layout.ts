/** Verbs of use cases that only read: their file is a query. `verify` may keep what it has verified. */
const READING = /^(?:get|list|find|show|check|quote|resolve|examine|replay)-/;
const CONTEXT = /^apps\/(?:jobs|billing|moderation|catalog|webhook-dispatcher)\/src\//;
const LOOP = /\bnew WorkLoop\(/;

/** What is wrong with the place of a file, given by its path from the root and its text, a sentence each. */
export function layoutProblems(file: string, text: string): string[] {
  const folders = file.split('/');
  const name = folders.pop() ?? '';
  const [folder = '', parent = ''] = [folders.at(-1), folders.at(-2)];
  const problems: string[] = [];
  if (CONTEXT.test(file) && name.endsWith('.controller.ts') && folder !== 'src')
    problems.push('move it to src: the controllers of a context are its public face');
  if (parent === 'use-cases' && READING.test(folder) && name.startsWith(`${folder}.use-case.`))
    problems.push(`call it ${folder}.query.ts: it only reads`);
  if (
    parent === 'use-cases' &&
    !READING.test(folder) &&
    !folder.startsWith('verify-') &&
    name.startsWith(`${folder}.query.`)
  )
    problems.push(`call it ${folder}.use-case.ts, or the folder by a verb that reads`);
  if (CONTEXT.test(file) && LOOP.test(text) && !folders.includes('background'))
    problems.push('move it to background: it runs a loop');
  return problems.map((problem) => `${file}: ${problem}.`);
}
