import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { contractUsers } from '../broker/contract-users';
import { declaredContracts } from '../contracts/declared-contracts';
import { handlers } from '../contracts/handlers';
import type { GeneratedFiles } from '../generated-files';
import { ROOT } from '../../source-files';
import { drawRoads, roadsBetween, listRoads } from './context-map';
import { putPart } from './page-part';
import { drawReach } from '../../../../test/documents/reach';

const PAGE = 'docs/architecture.md';
const CONTRACT_MAP = 'docs/contract-map.md';

/** The architecture page with its map, the rest of which is written by hand; and the page of all messages and reaches. */
export async function architecturePage(): Promise<GeneratedFiles> {
  const roads = roadsBetween(contractUsers(await declaredContracts(), await handlers()));
  const page = await readFile(path.join(ROOT, PAGE), 'utf8');
  return {
    [PAGE]: putPart(page, 'map', drawRoads(roads)),
    [CONTRACT_MAP]: contractMap(listRoads(roads), await drawReach()),
  };
}

function contractMap(roads: string, reach: string): string {
  return `# Contract map

<!-- Written by \`npm run generate\` from the code; never edited. -->

Every message between programs, from the contracts, the handlers and every place that names a contract.

${roads}

## What each program can reach

From the table by which the chart makes variables, volumes and NetworkPolicies. No service reaches another's schema, and none reaches a
private address through its access to the internet.

${reach}
`;
}
