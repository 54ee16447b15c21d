import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { contractUsers } from '../broker/contract-users';
import { declaredContracts } from '../contracts/declared-contracts';
import { handlers } from '../contracts/handlers';
import type { GeneratedFiles } from '../generated-files';
import { ROOT } from '../../source-files';
import { drawRoads, roadsBetween } from './context-map';

const PAGE = 'docs/architecture.md';

/** The map stands between them. */
const PART = /(<!-- drawn: map -->)[^]*(<!-- end -->)/;

/** The architecture page with its map; the rest is written by hand. */
export async function architecturePage(): Promise<GeneratedFiles> {
  const roads = roadsBetween(contractUsers(await declaredContracts(), await handlers()));
  const page = await readFile(path.join(ROOT, PAGE), 'utf8');
  if (!PART.test(page)) throw new Error(`${PAGE} has no markers for its map.`);
  return { [PAGE]: page.replace(PART, (_, begin: string, end: string) => `${begin}\n\n${drawRoads(roads)}\n\n${end}`) };
}
