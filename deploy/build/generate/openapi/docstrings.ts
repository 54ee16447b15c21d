import ts from 'typescript';
import type { Annotate, JsonSchema } from '../contracts/json-schema';

/** Tags of a docstring that are keywords of a schema; their text is JSON. */
const JSON_TAGS = ['default', 'additionalProperties', 'minimum', 'maximum'];
/** Tags that are keywords of a schema; their text is taken as it is. */
const TEXT_TAGS = ['format', 'pattern'];

/** Reads from docstrings what a type cannot say: what a field means, and which texts and numbers it may hold. */
export class Docstrings {
  constructor(private readonly checker: ts.TypeChecker) {}

  /** For the schema that was made of a type, or of a field. */
  readonly annotate: Annotate = (schema, declared) => {
    const description = this.descriptionOf(declared);
    return { ...constrain(schema, this.keywordsOf(declared)), ...(description && { description }) };
  };

  /** What the tags say of the values: those of the named scalar that a field holds, and those of the field itself. */
  keywordsOf(declared: ts.Symbol): JsonSchema {
    const tags = [this.scalarOf(declared), declared].flatMap((symbol) => symbol?.getJsDocTags(this.checker) ?? []);
    const { default: byDefault, ...keywords } = Object.fromEntries(tags.flatMap((tag) => toKeyword(tag)));
    // A required field of an answer may inherit its docstring from an optional field of a request.
    const isOptional = (declared.flags & ts.SymbolFlags.Optional) !== 0;
    return byDefault === undefined || !isOptional ? keywords : { ...keywords, default: byDefault };
  }

  /** The prose, a paragraph a line; a field without any is told by that of the named scalar that it holds. */
  descriptionOf(declared: ts.Symbol): string {
    const [prose = ''] = [declared, this.scalarOf(declared)]
      .map((symbol) => ts.displayPartsToString(symbol?.getDocumentationComment(this.checker)))
      .filter((text) => text !== '');
    return prose.replace(/(?<!\n)\n(?!\n)/g, ' ').trim();
  }

  /** A named text or number, such as `Timestamp`: the compiler knows it as a plain string, only the source tells. */
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

/** Puts keywords to where the value is: past null, and into a list. */
function constrain(schema: JsonSchema, keywords: JsonSchema): JsonSchema {
  if (Array.isArray(schema.anyOf)) {
    const members = schema.anyOf as JsonSchema[];
    return { ...schema, anyOf: members.map((each) => (each.type === 'null' ? each : constrain(each, keywords))) };
  }
  if (schema.type === 'array') return { ...schema, items: constrain(schema.items as JsonSchema, keywords) };
  return { ...schema, ...keywords };
}

/** `Micros`, `Timestamp | null` and `Integer[]` each refer to one name. */
function referencesIn(node: ts.TypeNode): ts.TypeReferenceNode[] {
  if (ts.isTypeReferenceNode(node)) return [node];
  if (ts.isArrayTypeNode(node)) return referencesIn(node.elementType);
  return ts.isUnionTypeNode(node) ? node.types.flatMap(referencesIn) : [];
}
