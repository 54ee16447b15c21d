import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import openapiTypescript, { type OpenAPI3, astToString } from 'openapi-typescript';
import { ROOT } from '../../source-files';
import type { GeneratedFiles } from '../generated-files';

const DESCRIPTIONS = { 'gateway-api': 'apps/gateway/openapi.json', 'console-api': 'apps/console/openapi.json' };

/** The schemas of the APIs that the console's web application calls, as types. */
export async function consoleApiTypes(): Promise<GeneratedFiles> {
  const described = Object.entries(DESCRIPTIONS).filter(([, file]) => existsSync(path.join(ROOT, file)));
  const files = described.map(async ([name, file]) => [typesFile(name), await typesOf(file)] as const);
  return Object.fromEntries(await Promise.all(files));
}

const typesFile = (name: string) => `apps/console/web/src/api/${name}.d.ts`;

async function typesOf(file: string): Promise<string> {
  const description = JSON.parse(readFileSync(path.join(ROOT, file), 'utf8')) as OpenAPI3;
  const { openapi, info, components } = description;
  const schemas = { openapi, info, paths: {}, components: { schemas: components?.schemas ?? {} } };
  const text = astToString(await openapiTypescript(schemas));
  return `// Generated from ${file} by \`npm run generate -- console\`.\n${text}`;
}
