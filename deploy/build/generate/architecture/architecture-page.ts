import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { contractUsers } from '../broker/contract-users';
import { declaredContracts } from '../contracts/declared-contracts';
import { handlers } from '../contracts/handlers';
import type { GeneratedFiles } from '../generated-files';
import { ROOT } from '../../source-files';
import { drawRoads, roadsBetween } from './context-map';
import { putPart } from './page-part';

const PAGE = 'docs/architecture.md';

/** The architecture page with its map; the rest is written by hand. */
export async function architecturePage(): Promise<GeneratedFiles> {
  const roads = roadsBetween(contractUsers(await declaredContracts(), await handlers()));
  const page = await readFile(path.join(ROOT, PAGE), 'utf8');
  return { [PAGE]: putPart(page, 'map', drawRoads(roads)) };
}
