import { readFile } from 'node:fs/promises';
import path from 'node:path';
import openapiTypescript, { type OpenAPI3, astToString } from 'openapi-typescript';
import { ROOT } from '../../source-files';
import type { GeneratedFiles } from '../generated-files';

const DESCRIPTION = 'apps/console/openapi.json';
const TYPES = 'apps/console/web/src/api/console-api.d.ts';

/** The schemas of the operators' API, as types for the console's web application. Those of the public API are `@kinora/client`'s. */
export async function consoleApiTypes(): Promise<GeneratedFiles> {
  const { openapi, info, components } = JSON.parse(await readFile(path.join(ROOT, DESCRIPTION), 'utf8')) as OpenAPI3;
  const schemas = { openapi, info, paths: {}, components: { schemas: components?.schemas ?? {} } };
  const text = astToString(await openapiTypescript(schemas));
  return { [TYPES]: `// Generated from ${DESCRIPTION} by \`npm run generate -- console\`.\n${text}` };
}
