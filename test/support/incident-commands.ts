import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { RUNBOOK } from '../../deploy/build/rules';
import { ROOT } from '../../deploy/build/source-files';
import { shellLines } from './guide-steps';

/** What operators follow in an incident. */
export const INCIDENT_PAGES = [RUNBOOK, 'docs/operate/point-in-time.md', 'docs/data.md', 'docs/operate/README.md'];

/** A command in a sentence: the name of a program, then its arguments. */
const IN_SENTENCE = /`((?:kinora|npm run --silent kinora|nats|psql|kubectl|docker|openssl|df|pg_\w+) [^`]+)`/g;

/** Every command of a page, in a block or in a sentence, each once. */
export async function commandsOn(page: string): Promise<string[]> {
  const text = await readFile(path.join(ROOT, page), 'utf8');
  const mentioned = [...text.matchAll(IN_SENTENCE)].map(([, command = '']) => command);
  return [...new Set([...(await shellLines(page)), ...mentioned])];
}

/** Those of all these pages that begin with the words. */
export async function incidentCommands(begin: string): Promise<string[]> {
  const commands = (await Promise.all(INCIDENT_PAGES.map(commandsOn))).flat();
  return [...new Set(commands)].filter((command) => command.startsWith(begin));
}
