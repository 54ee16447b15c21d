import type { JsonSchema } from '../contracts/json-schema';

/** Fields of requests that the client fills from a path, bytes or a stream. */
const FILE_FIELDS = /^(ImageEdit|VideoGeneration)Body\.images?$/;
/** The client declares jobs whose output is known, so a subclass must be able to narrow these fields. */
const READ_ONLY = new Set(['Job.output']);
const KEYWORDS = new Set(['and', 'as', 'class', 'def', 'from', 'global', 'import', 'in', 'is', 'not', 'or', 'with']);
const SIMPLE: Record<string, string> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
};
const WIDTH = 120;

/** Translates JSON schemas to declarations of Python. An object without a name is named after the field that holds it. */
export class TypedDicts {
  readonly declarations: string[] = [];

  /** Declares a schema, after the objects that it contains. */
  declare(name: string, schema: JsonSchema): void {
    const text = isObject(schema) ? this.toClass(name, schema) : this.toAlias(name, schema);
    this.declarations.push(text);
  }

  private toAlias(name: string, schema: JsonSchema): string {
    const type = this.typeOf(name, schema);
    const quoted = type.replaceAll(/\b[A-Z]\w+(?=[,\]])/g, (part) => (part === 'Any' ? part : `"${part}"`));
    return `${name} = ${schema['enum'] ? type : quoted}\n`;
  }

  private toClass(name: string, schema: JsonSchema): string {
    const properties = Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>);
    const required = new Set((schema['required'] ?? []) as string[]);
    const fields = properties.map(([field, declared]) => ({
      field,
      type: this.fieldType(name, field, declared),
      text: describe(declared, 4),
      isRequired: required.has(field),
    }));
    if (fields.some(({ field }) => KEYWORDS.has(field))) return functionalForm(name, fields);
    const [always, sometimes] = [true, false].map((isRequired) =>
      fields
        .filter((field) => field.isRequired === isRequired)
        .map(({ field, type, text }) => `    ${field}: ${type}\n${text}`),
    ) as [string[], string[]];
    const doc = describe(schema, 4);
    if (sometimes.length === 0) return `class ${name}(TypedDict):\n${body(doc, always)}`;
    if (always.length === 0) return `class ${name}(TypedDict, total=False):\n${body(doc, sometimes)}`;
    return [
      `class _${name}Required(TypedDict):\n${body('', always)}`,
      `class ${name}(_${name}Required, total=False):\n${body(doc, sometimes)}`,
    ].join('\n\n');
  }

  private fieldType(owner: string, field: string, schema: JsonSchema): string {
    const id = `${owner}.${field}`;
    if (FILE_FIELDS.test(id)) return field === 'images' ? 'List[FileSource]' : 'FileSource';
    const type = this.typeOf(owner + toPascal(field), schema);
    return READ_ONLY.has(id) ? `ReadOnly[${type}]` : type;
  }

  private typeOf(name: string, schema: JsonSchema): string {
    const { $ref, const: constant, enum: values, type, oneOf, anyOf } = schema as Record<string, unknown>;
    if (typeof $ref === 'string') return $ref.split('/').at(-1) as string;
    if (constant !== undefined) return literal([constant]);
    if (Array.isArray(values)) return literal(values);
    const variants = (oneOf ?? anyOf) as JsonSchema[] | undefined;
    if (variants) return this.union(name, variants);
    if (Array.isArray(type))
      return this.union(
        name,
        type.map((one: string) => ({ ...schema, type: one })),
      );
    if (type === 'array') return `List[${this.typeOf(singular(name), (schema['items'] ?? {}) as JsonSchema)}]`;
    if (isObject(schema)) {
      this.declare(name, schema);
      return name;
    }
    if (type === 'object') return `Dict[str, ${this.valueType(name, schema)}]`;
    return SIMPLE[type as string] ?? 'Any';
  }

  private valueType(name: string, { additionalProperties: values }: JsonSchema): string {
    return typeof values === 'object' && values !== null ? this.typeOf(`${name}Value`, values as JsonSchema) : 'Any';
  }

  private union(name: string, variants: JsonSchema[]): string {
    const objects = variants.filter(isObject);
    const types = variants
      .filter(({ type }) => type !== 'null')
      .map((variant) => this.typeOf(objects.length > 1 ? name + distinction(variant, objects) : name, variant));
    const inner = types.length === 1 ? (types[0] as string) : `Union[${types.join(', ')}]`;
    return types.length < variants.length ? `Optional[${inner}]` : inner;
  }
}

/** `TypedDict('Usage', {...})`, the only form that takes a keyword of Python as a field. */
function functionalForm(name: string, fields: { field: string; type: string; isRequired: boolean }[]): string {
  const optional = fields.filter(({ isRequired }) => !isRequired);
  if (optional.length > 0) throw new Error(`${name} has a keyword of Python and optional fields: give it a class.`);
  const lines = fields.map(({ field, type }) => `        "${field}": ${quotedUnlessSimple(type)},\n`);
  return `${name} = TypedDict(\n    "${name}",\n    {\n${lines.join('')}    },\n)\n`;
}

function quotedUnlessSimple(type: string): string {
  return type.includes('"') ? type : `"${type}"`;
}

function literalOf(value: unknown): string {
  if (value === null) return 'None';
  return typeof value === 'boolean' ? toPascal(String(value)) : JSON.stringify(value);
}

function isObject(schema: JsonSchema): boolean {
  return schema['type'] === 'object' && schema['properties'] !== undefined;
}

function literal(values: unknown[]): string {
  return `Literal[${values.map(literalOf).join(', ')}]`;
}

/** The name of the property that only this variant has. */
function distinction(variant: JsonSchema, all: JsonSchema[]): string {
  const names = (schema: JsonSchema) => Object.keys(schema['properties'] ?? {});
  const own = names(variant).find((name) => all.every((other) => other === variant || !names(other).includes(name)));
  if (own === undefined) throw new Error('Two variants of a union have the same properties: give them names.');
  return toPascal(own);
}

function toPascal(name: string): string {
  return name
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}

function singular(name: string): string {
  return name.endsWith('s') ? name.slice(0, -1) : `${name}Item`;
}

function body(doc: string, fields: string[]): string {
  return [...(doc === '' ? [] : [doc]), ...fields].join('\n');
}

/** A docstring, wrapped; empty where there is no description. */
function describe({ description }: JsonSchema, indent: number): string {
  if (typeof description !== 'string' || description === '') return '';
  const margin = ' '.repeat(indent);
  const text = description.replaceAll('\\', '\\\\').replaceAll('"""', "'''");
  const line = `${margin}"""${text}"""\n`;
  if (line.length <= WIDTH) return line;
  const lines: string[] = [];
  for (const word of `"""${text}`.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && indent + last.length + word.length + 1 <= WIDTH)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return [...lines, '"""'].map((one) => `${margin}${one}\n`).join('');
}
