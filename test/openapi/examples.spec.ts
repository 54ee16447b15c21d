import {
  type Content,
  type DescribedOperation,
  type Reference,
  readOpenAiReference,
  readReference,
  schemaCompiler,
} from '../support/published-reference';

function operationsOf({ paths, webhooks = {} }: Reference): [string, DescribedOperation][] {
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, DescribedOperation] => [
      `${method} ${path}`,
      operation,
    ]),
  );
  return [
    ...described,
    ...Object.entries(webhooks).map(([type, { post }]): [string, DescribedOperation] => [type, post]),
  ];
}

/** Of any type: an event stream has an example too. */
function contentsOf(part?: { content?: Content }): Content['application/json'][] {
  return Object.values((part?.content ?? {}) as Record<string, Content['application/json']>);
}

describe.each([
  ['/v1', readReference()],
  ['/openai/v1', readOpenAiReference()],
])('examples of %s', (_, reference) => {
  const compile = schemaCompiler(reference);

  it.each(operationsOf(reference))('of %s are valid requests and responses', (_operation, operation) => {
    const { parameters = [], requestBody, responses } = operation;
    const contents = [requestBody, ...Object.values(responses)].flatMap(contentsOf);
    const shown = [...parameters, ...contents].filter(({ example }) => example !== undefined);
    const wrong = shown.filter(({ schema, example }) => !compile(schema)(example));
    expect(wrong).toEqual([]);
    const isFile = contents.some(({ schema }) => schema['format'] === 'binary');
    expect(isFile || contents.some(({ example }) => example !== undefined)).toBe(true);
  });
});
