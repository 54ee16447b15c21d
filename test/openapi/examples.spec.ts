import { type Content, type DescribedOperation, readReference, schemaCompiler } from '../support/published-reference';

const reference = readReference();
const compile = schemaCompiler(reference);

const operations: [string, DescribedOperation][] = [
  ...Object.entries(reference.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, DescribedOperation] => [
      `${method} ${path}`,
      operation,
    ]),
  ),
  ...Object.entries(reference.webhooks).map(([type, { post }]): [string, DescribedOperation] => [type, post]),
];

/** Of any type: an event stream has an example too. */
function contentsOf(part?: { content?: Content }): Content['application/json'][] {
  return Object.values((part?.content ?? {}) as Record<string, Content['application/json']>);
}

describe('examples', () => {
  it.each(operations)('of %s are valid requests and responses', (_, { parameters = [], requestBody, responses }) => {
    const contents = [requestBody, ...Object.values(responses)].flatMap(contentsOf);
    const shown = [...parameters, ...contents].filter(({ example }) => example !== undefined);
    const wrong = shown.filter(({ schema, example }) => !compile(schema)(example));
    expect(wrong).toEqual([]);
    expect(contents.some(({ example }) => example !== undefined)).toBe(true);
  });
});
