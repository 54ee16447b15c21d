import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { ValidateFunction } from 'ajv';
import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';

type Schema = Record<string, unknown>;

export interface Content {
  'application/json': { schema: Schema; example?: unknown };
}

export interface DescribedHeader {
  required?: boolean;
  schema: Schema;
}

export interface DescribedResponse {
  headers: Record<string, { $ref: string }>;
  content?: Content;
}

export interface DescribedOperation {
  parameters?: { name: string; schema: Schema; example?: unknown }[];
  requestBody?: { content: Content };
  responses: Record<string, DescribedResponse>;
}

/** The part of a document that tests read. */
export interface Reference {
  paths: Record<string, Record<string, DescribedOperation>>;
  /** Absent from the document of the OpenAI-compatible API. */
  webhooks?: Record<string, { post: DescribedOperation }>;
  components: { headers: Record<string, DescribedHeader>; schemas: Record<string, Schema> };
}

const FOLDER = path.resolve(__dirname, '../../apps/gateway');

export function readReference(reviver?: (key: string, value: unknown) => unknown): Reference {
  return read('openapi.json', reviver);
}

export function readOpenAiReference(): Reference {
  return read('openapi.openai.json');
}

function read(name: string, reviver?: (key: string, value: unknown) => unknown): Reference {
  return JSON.parse(readFileSync(path.join(FOLDER, name), 'utf8'), reviver) as Reference;
}

/** Compiles schemas that refer to the components of a reference, each once. */
export function schemaCompiler(
  { components }: Reference,
  options: { validateFormats: boolean } = { validateFormats: true },
): (schema: Schema) => ValidateFunction {
  const ajv = addFormats(new Ajv2020({ ...options, allErrors: true, strictTypes: false, strictRequired: false }));
  ajv.addVocabulary(['components']);
  const compiled = new Map<Schema, ValidateFunction>();
  return (schema) => {
    const validate = compiled.get(schema) ?? ajv.compile({ ...schema, components });
    compiled.set(schema, validate);
    return validate;
  };
}
