import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { ROOT } from '../../source-files';
import type { JsonSchema } from '../contracts/json-schema';
import type { GeneratedFiles } from '../generated-files';
import { TypedDicts } from './typed-dicts';

const FILE = 'libs/sdk-python/src/kinora/types.py';

const HEADER = `# Generated from apps/gateway/openapi.json by \`npm run generate -- python\`: do not edit.
"""The objects of the API, as they are sent and received. Fields may be added in any release."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Literal, Optional, TypedDict, Union

from ._typing import FileSource

if TYPE_CHECKING:
    from typing_extensions import ReadOnly
else:
    from ._typing import ReadOnly
`;

/** The types of the Python client: a TypedDict for each object of the API. */
export async function pythonTypes(): Promise<GeneratedFiles> {
  const text = await readFile(path.join(ROOT, 'apps/gateway/openapi.json'), 'utf8');
  const { components } = JSON.parse(text) as { components: { schemas: Record<string, JsonSchema> } };
  return { [FILE]: toPython(components.schemas) };
}

/** The module that declares these schemas. */
export function toPython(schemas: Record<string, JsonSchema>): string {
  const types = new TypedDicts();
  for (const [name, schema] of Object.entries(schemas)) types.declare(name, schema);
  return [HEADER, ...types.declarations].join('\n\n');
}
