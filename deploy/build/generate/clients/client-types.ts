import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { ROOT } from '../../source-files';
import type { GeneratedFiles } from '../generated-files';

const REFERENCE = 'apps/gateway/openapi.json';
const HEADER = `// Generated from ${REFERENCE} by \`npm run generate -- clients\`.\n`;

/** The types of bodies and answers for the TypeScript client, from the published reference. */
export async function clientTypes(): Promise<GeneratedFiles> {
  const { openapi, info, components } = JSON.parse(await readFile(path.join(ROOT, REFERENCE), 'utf8')) as {
    openapi: string;
    info: object;
    components: { schemas: object };
  };
  // Loaded here because only this generator needs it, and it takes half a second.
  const { default: openapiTS, astToString } = await import('openapi-typescript');
  // The client is written by hand, so it needs the schemas and none of the operations.
  const schemas = { openapi, info, paths: {}, components: { schemas: components.schemas } };
  const types = astToString(await openapiTS(schemas as Parameters<typeof openapiTS>[0], { defaultNonNullable: false }));
  return { 'libs/sdk-typescript/src/api-types.ts': HEADER + types };
}
