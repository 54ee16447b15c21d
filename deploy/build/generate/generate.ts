/**
 * Compares generated files with what they are generated from, or writes them:
 *   node -r ./test/typescript.cjs deploy/build/generate/generate.ts [contracts] [settings] [openapi] [clients] [python] [broker] [chart] [architecture] [metrics] [console] [--write]
 */
import { parseArgs } from 'node:util';
import { authorizationFile } from './broker/authorization-file';
import { clientTypes } from './clients/client-types';
import { consoleApiTypes } from './console/api-types';
import { goldenSchemas } from './contracts/golden-schemas';
import { architecturePage } from './architecture/architecture-page';
import { chartFiles } from './chart/values-schema';
import { openApiFiles } from './openapi/openapi-files';
import { envExample } from './settings/env-example';
import { blockingHalf } from './python/blocking-half';
import { pythonTypes } from './python/python-types';
import { ROOT } from '../source-files';
import { metricsPage } from './telemetry/metrics-page';
import { type GeneratedFiles, staleFiles, writeFiles } from './generated-files';

const GENERATORS: Record<string, () => Promise<GeneratedFiles>> = {
  contracts: goldenSchemas,
  settings: envExample,
  openapi: openApiFiles,
  clients: clientTypes,
  python: async () => ({ ...(await pythonTypes()), ...(await blockingHalf()) }),
  broker: authorizationFile,
  chart: chartFiles,
  architecture: architecturePage,
  metrics: metricsPage,
  console: consoleApiTypes,
};

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { write: { type: 'boolean', default: false } },
  });
  const kinds = positionals.length > 0 ? positionals : Object.keys(GENERATORS);
  for (const kind of kinds) {
    const generate = GENERATORS[kind];
    if (!generate)
      throw new Error(`There is no generator ${kind}: the generators are ${Object.keys(GENERATORS).join(', ')}.`);
    const generated = await generate();
    const stale = await staleFiles(generated, ROOT);
    if (values.write) await writeFiles(generated, ROOT);
    for (const file of stale) report(file, values.write);
  }
}

function report(file: string, isWritten: boolean): void {
  console.log(isWritten ? `${file} written` : `${file} is not current: run npm run generate, and review the changes.`);
  if (!isWritten) process.exitCode = 1;
}

void main();
