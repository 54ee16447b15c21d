import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { ROOT, exportsOf, sourceFiles } from '../../deploy/build/source-files';

interface NamedSql {
  name: string;
  text: string;
}

type Declare = (name: string, text: string, ...rest: unknown[]) => NamedSql;

const declared: (NamedSql & { file: string })[] = [];

/** Replaces `statement` for all later imports by a version that also records each declaration. Must be imported first. */
const load = createRequire(__filename);
const home = path.join(ROOT, 'libs/database/src/statement.ts');
const real = load(home) as { statement: Declare };
const cached = load.cache[home];
if (!cached) throw new Error(`${home} was not loaded by require: run this check with test/typescript.cjs.`);
const recording: Declare = (...args) => {
  const made = real.statement(...args);
  const [, , caller = ''] = (new Error().stack ?? '').split('\n');
  const file = /(\/[^:()]+\.ts):\d+/.exec(caller)?.[1] ?? '';
  declared.push({ ...made, file: path.relative(ROOT, file) });
  return made;
};
cached.exports = { ...real, statement: recording };

/**
 * The statements that production files below a folder declare when they are loaded. Statements that a function creates are
 * missing.
 * @throws Error where statements were loaded before this file
 */
export async function declaredStatements(folder: string): Promise<NamedSql[]> {
  const files = sourceFiles(folder, /(?<!\.(spec|fixtures))\.ts$/).filter(
    (file) => path.join(ROOT, file) !== home && /\bstatement\(/.test(readFileSync(path.join(ROOT, file), 'utf8')),
  );
  for (const file of files) await exportsOf(file);
  const found = declared.filter(({ file }) => files.includes(file));
  if (found.length === 0) throw new Error(`No statement of ${folder} was recorded: import declared-statements first.`);
  return found;
}
