import ts from 'typescript';
import type { Annotate, JsonSchema } from '../contracts/json-schema';

/** Tags of a docstring that are schema keywords with a JSON value. */
const JSON_TAGS = ['default', 'additionalProperties', 'minimum', 'maximum'];
/** Tags that are schema keywords with a plain text value. */
const TEXT_TAGS = ['format', 'pattern'];

/** Reads from docstrings what a type cannot express: the meaning of a field, and its allowed texts and numbers. */
export class Docstrings {
  constructor(private readonly checker: ts.TypeChecker) {}

  /** Adds to the schema that was made of a type or of a field. */
  readonly annotate: Annotate = (schema, declared) => {
    const description = this.descriptionOf(declared);
    return { ...constrain(schema, this.keywordsOf(declared)), ...(description && { description }) };
  };

  /** The keywords in the tags: those of the named scalar of a field, and those of the field itself. */
  keywordsOf(declared: ts.Symbol): JsonSchema {
    const tags = [this.scalarOf(declared), declared].flatMap((symbol) => symbol?.getJsDocTags(this.checker) ?? []);
    const { default: byDefault, ...keywords } = Object.fromEntries(tags.flatMap((tag) => toKeyword(tag)));
    // A required field of an answer may inherit its docstring from an optional field of a request.
    const isOptional = (declared.flags & ts.SymbolFlags.Optional) !== 0;
    return byDefault === undefined || !isOptional ? keywords : { ...keywords, default: byDefault };
  }

  /** The prose, one paragraph a line; a field without a docstring gets that of its named scalar. */
  descriptionOf(declared: ts.Symbol): string {
    const [prose = ''] = [declared, this.scalarOf(declared)]
      .map((symbol) => ts.displayPartsToString(symbol?.getDocumentationComment(this.checker)))
      .filter((text) => text !== '');
    return prose.replace(/(?<!\n)\n(?!\n)/g, ' ').trim();
  }

  /** A named text or number, such as `Timestamp`: for the compiler it is a plain string, so the name is read from the source. */
  private scalarOf({ valueDeclaration }: ts.Symbol): ts.Symbol | undefined {
    if (!valueDeclaration || !isProperty(valueDeclaration) || !valueDeclaration.type) return undefined;
    const names = referencesIn(valueDeclaration.type).map(({ typeName }) => this.checker.getSymbolAtLocation(typeName));
    return names.map((name) => name && this.resolve(name)).find((alias) => alias && this.isScalar(alias));
  }

  private resolve(name: ts.Symbol): ts.Symbol {
    return name.flags & ts.SymbolFlags.Alias ? this.checker.getAliasedSymbol(name) : name;
  }

  private isScalar(alias: ts.Symbol): boolean {
    if (!(alias.flags & ts.SymbolFlags.TypeAlias)) return false;
    return (this.checker.getDeclaredTypeOfSymbol(alias).flags & (ts.TypeFlags.String | ts.TypeFlags.Number)) !== 0;
  }
}

function isProperty(node: ts.Declaration): node is ts.PropertySignature | ts.PropertyDeclaration {
  return ts.isPropertySignature(node) || ts.isPropertyDeclaration(node);
}

function toKeyword({ name, text }: ts.JSDocTagInfo): [string, unknown][] {
  const value = ts.displayPartsToString(text);
  if (name === 'asType') return [['type', value]];
  if (TEXT_TAGS.includes(name)) return [[name, value]];
  if (JSON_TAGS.includes(name)) return [[name, JSON.parse(value) as unknown]];
  return [];
}

/** Adds keywords to the schema of the value: not to null, and inside of a list. */
function constrain(schema: JsonSchema, keywords: JsonSchema): JsonSchema {
  if (Array.isArray(schema.anyOf)) {
    const members = schema.anyOf as JsonSchema[];
    return { ...schema, anyOf: members.map((each) => (each.type === 'null' ? each : constrain(each, keywords))) };
  }
  if (schema.type === 'array') return { ...schema, items: constrain(schema.items as JsonSchema, keywords) };
  return { ...schema, ...keywords };
}

/** `Micros`, `Timestamp | null` and `Integer[]` each contain one name. */
function referencesIn(node: ts.TypeNode): ts.TypeReferenceNode[] {
  if (ts.isTypeReferenceNode(node)) return [node];
  if (ts.isArrayTypeNode(node)) return referencesIn(node.elementType);
  return ts.isUnionTypeNode(node) ? node.types.flatMap(referencesIn) : [];
}
