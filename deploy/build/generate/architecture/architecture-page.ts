import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { contractUsers } from '../broker/contract-users';
import { declaredContracts } from '../contracts/declared-contracts';
import { handlers } from '../contracts/handlers';
import type { GeneratedFiles } from '../generated-files';
import { ROOT } from '../../source-files';
import { drawRoads, roadsBetween, tabulateRoads } from './context-map';
import { putPart } from './page-part';
import { drawReach } from '../../../../test/documents/reach';

const PAGE = 'docs/architecture.md';

/** The architecture page with its generated parts; the rest of it is written by hand. */
export async function architecturePage(): Promise<GeneratedFiles> {
  const roads = roadsBetween(contractUsers(await declaredContracts(), await handlers()));
  const page = await readFile(path.join(ROOT, PAGE), 'utf8');
  const drawn = Object.entries({ map: drawRoads(roads), roads: tabulateRoads(roads), reach: await drawReach() });
  const text = drawn.reduce((whole, [part, body]) => putPart(whole, part, body), page);
  return { [PAGE]: text };
}
