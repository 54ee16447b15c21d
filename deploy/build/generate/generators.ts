import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ROOT } from '../source-files';
import { architecturePage } from './architecture/architecture-page';
import { authorizationFile } from './broker/authorization-file';
import { chartFiles } from './chart/values-schema';
import { clientTypes } from './clients/client-types';
import { consoleApiTypes } from './console/api-types';
import { goldenSchemas } from './contracts/golden-schemas';
import type { GeneratedFiles } from './generated-files';
import { openApiFiles } from './openapi/openapi-files';
import { blockingHalf } from './python/blocking-half';
import { pythonTypes } from './python/python-types';
import { envExample } from './settings/env-example';
import { metricsPage } from './telemetry/metrics-page';

export const GENERATORS: Record<string, () => Promise<GeneratedFiles>> = {
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

/** The files of the checkout that differ or are missing. */
export async function staleFiles(generated: GeneratedFiles, checkout = ROOT): Promise<string[]> {
  const stale = await Promise.all(
    Object.entries(generated).map(async ([file, text]) => {
      const kept = await readFile(path.join(checkout, file), 'utf8').catch(() => null);
      return kept === text ? [] : [file];
    }),
  );
  return stale.flat();
}

export async function writeFiles(generated: GeneratedFiles, checkout = ROOT): Promise<void> {
  for (const [file, text] of Object.entries(generated)) {
    await mkdir(path.dirname(path.join(checkout, file)), { recursive: true });
    await writeFile(path.join(checkout, file), text);
  }
}
