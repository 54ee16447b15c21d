import ts from 'typescript';
import { SchemaWriter } from './json-schema';

const OPTIONS = { strict: true, exactOptionalPropertyTypes: true, target: ts.ScriptTarget.ES2022, types: [] };
const HOST = ts.createCompilerHost(OPTIONS);
const libraries = new Map<string, ts.SourceFile>();

const text = { type: 'string' };
const object = (properties: object, required = Object.keys(properties).sort()) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

describe('JSON Schema of a message', () => {
  it.each([
    ['a field that may be missing', '{ id: string; cursor?: string }', object({ id: text, cursor: text }, ['id'])],
    ['a field that may be null', '{ id: string | null }', object({ id: { anyOf: [{ type: 'null' }, text] } })],
    ['a switch', '{ enabled: boolean }', object({ enabled: { type: 'boolean' } })],
    ['a fixed value', `{ object: 'job'; live: true }`, object({ object: { const: 'job' }, live: { const: true } })],
    ['a list of words, whatever their order', `'queued' | 'canceled'`, { enum: ['canceled', 'queued'] }],
    ['a list', 'number[]', { type: 'array', items: { type: 'number' } }],
    ['a dictionary', 'Record<string, string>', { ...object({}), additionalProperties: text }],
    ['nothing', 'Record<string, never>', object({})],
    ['anything', 'unknown', {}],
    ['an intersection', '{ id: string } & { at: string }', object({ id: text, at: text })],
    ['alternatives', '{ id: string } | { at: string }', { anyOf: [object({ at: text }), object({ id: text })] }],
  ])('tells %s', (_, type, schema) => {
    expect(schemaOf(type)).toEqual({ schema, definitions: {} });
  });

  it('refers to a named type, also from within itself', () => {
    expect(schemaOf('Job', 'interface Job { id: string; parent?: Job }')).toEqual({
      schema: { $ref: '#/$defs/Job' },
      definitions: { Job: object({ id: text, parent: { $ref: '#/$defs/Job' } }, ['id']) },
    });
  });

  it('names a generic type with its type arguments', () => {
    expect(schemaOf('List<Job>', 'interface Job { id: string } interface List<Item> { data: Item[] }').schema).toEqual({
      $ref: '#/$defs/List<Job>',
    });
  });

  it('refuses types that JSON cannot represent', () => {
    expect(() => schemaOf('{ at: bigint }')).toThrow('A message cannot hold bigint');
    expect(() => schemaOf('{ at: Date }')).toThrow('A message cannot hold () => string');
  });
});

/** Parsed once: parsing the standard library takes most of a small program's time. */
function readLibrary(name: string): ts.SourceFile | undefined {
  const known = libraries.get(name);
  if (known) return known;
  const library = HOST.getSourceFile(name, ts.ScriptTarget.ES2022);
  if (library) libraries.set(name, library);
  return library;
}

function schemaOf(type: string, declarations = ''): { schema: object; definitions: object } {
  const file = 'message.ts';
  const source = ts.createSourceFile(file, `${declarations} export type Message = [${type}];`, ts.ScriptTarget.ES2022);
  const host = { ...HOST, getSourceFile: (name: string) => (name === file ? source : readLibrary(name)) };
  const program = ts.createProgram([file], OPTIONS, host);
  const checker = program.getTypeChecker();
  const module = checker.getSymbolAtLocation(program.getSourceFile(file) ?? source);
  const [message] = module ? checker.getExportsOfModule(module) : [];
  if (!message) throw new Error('The type Message is not exported.');
  // Wrapped into a tuple, because an alias would replace the name of every type.
  const [wrapped] = checker.getTypeArguments(checker.getDeclaredTypeOfSymbol(message) as ts.TypeReference);
  if (!wrapped) throw new Error('The type Message has no content.');
  const writer = new SchemaWriter(checker);
  return { schema: writer.schemaOf(wrapped), definitions: writer.definitions };
}
