import ts from 'typescript';

export type JsonSchema = { [keyword: string]: unknown };

/** Adds the keywords from the declaration's docstring to the schema of a named type or of a field. */
export type Annotate = (schema: JsonSchema, declared: ts.Symbol) => JsonSchema;

/** Translates the types of messages into JSON Schema, so that a change of a contract is visible as a change of data. */
export class SchemaWriter {
  /** The named types found so far; schemas refer to them as `#/$defs/<name>`. */
  readonly definitions: Record<string, JsonSchema> = {};

  constructor(
    private readonly checker: ts.TypeChecker,
    private readonly annotate: Annotate = (schema) => schema,
  ) {}

  schemaOf(type: ts.Type): JsonSchema {
    const symbol = namedSymbolOf(type);
    if (symbol === null) return this.structureOf(type);
    const name = this.checker.typeToString(type, undefined, ts.TypeFormatFlags.NoTruncation);
    if (!(name in this.definitions)) {
      // Reserved before it is described, because a type may contain itself.
      this.definitions[name] = {};
      this.definitions[name] = this.annotate(this.structureOf(type), symbol);
    }
    return { $ref: `#/$defs/${name}` };
  }

  private structureOf(type: ts.Type): JsonSchema {
    if (type.isUnion()) return this.unionOf(type);
    if (type.isStringLiteral() || type.isNumberLiteral()) return { const: type.value };
    if (type.flags & ts.TypeFlags.BooleanLiteral) return { const: this.checker.typeToString(type) === 'true' };
    if (type.flags & ts.TypeFlags.String) return { type: 'string' };
    if (type.flags & ts.TypeFlags.Number) return { type: 'number' };
    if (type.flags & ts.TypeFlags.Null) return { type: 'null' };
    if (type.flags & ts.TypeFlags.Unknown) return {};
    if (type.flags & ts.TypeFlags.NonPrimitive) return { type: 'object' };
    if (type.flags & ts.TypeFlags.Never) return { not: {} };
    // A brand exists for the compiler only: the message contains plain text.
    if (type.isIntersection() && type.types.some(({ flags }) => flags & ts.TypeFlags.String)) return { type: 'string' };
    if (this.checker.isArrayType(type)) return { type: 'array', items: this.schemaOf(this.elementOf(type)) };
    if (type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection) && !isFunction(type)) return this.objectOf(type);
    throw new Error(`A message cannot hold ${this.checker.typeToString(type)}, because JSON has no such type.`);
  }

  private unionOf(union: ts.UnionType): JsonSchema {
    const types = union.types.filter((type) => !(type.flags & ts.TypeFlags.Undefined));
    const literals = types.filter((type) => type.isStringLiteral() || type.isNumberLiteral());
    const booleans = types.filter((type) => type.flags & ts.TypeFlags.BooleanLiteral);
    const others = types.filter((type) => !literals.includes(type as ts.StringLiteralType) && !booleans.includes(type));
    const members = others.map((type) => this.schemaOf(type));
    if (booleans.length === 2) members.push({ type: 'boolean' });
    else members.push(...booleans.map((type) => this.schemaOf(type)));
    if (literals.length > 0) members.push({ enum: literals.map((type) => type.value).sort() });
    // The compiler orders a union by the first occurrence of its members, which an unrelated file can change.
    members.sort((one, other) => JSON.stringify(one).localeCompare(JSON.stringify(other)));
    return members.length === 1 && members[0] ? members[0] : { anyOf: members };
  }

  private objectOf(type: ts.Type): JsonSchema {
    const properties: Record<string, JsonSchema> = {};
    const required: string[] = [];
    for (const property of this.checker.getPropertiesOfType(type)) {
      properties[property.name] = this.annotate(this.schemaOf(this.checker.getTypeOfSymbol(property)), property);
      if (!(property.flags & ts.SymbolFlags.Optional)) required.push(property.name);
    }
    const index = this.checker.getIndexTypeOfType(type, ts.IndexKind.String);
    const additionalProperties = index && !(index.flags & ts.TypeFlags.Never) ? this.schemaOf(index) : false;
    return { type: 'object', properties, required: required.sort(), additionalProperties };
  }

  private elementOf(array: ts.Type): ts.Type {
    const [element] = this.checker.getTypeArguments(array as ts.TypeReference);
    if (!element) throw new Error(`The array has no item type: ${this.checker.typeToString(array)}`);
    return element;
  }
}

/** Only interfaces and aliases of messages become definitions; literals, arrays and library types do not. */
function namedSymbolOf(type: ts.Type): ts.Symbol | null {
  const symbol = type.aliasSymbol ?? (type.isClassOrInterface() || isReference(type) ? type.symbol : undefined);
  const declaration = symbol?.declarations?.[0];
  return symbol && declaration && !declaration.getSourceFile().isDeclarationFile ? symbol : null;
}

function isFunction(type: ts.Type): boolean {
  return type.getCallSignatures().length > 0;
}

function isReference(type: ts.Type): type is ts.TypeReference {
  return ((type as ts.ObjectType).objectFlags & ts.ObjectFlags.Reference) !== 0;
}
