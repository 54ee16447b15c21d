import path from 'node:path';
import ts from 'typescript';
import { type JsonSchema, SchemaWriter } from '../contracts/json-schema';
import { compilerHost, compilerOptions } from '../compiler-options';
import { ROOT } from '../../source-files';
import { Docstrings } from './docstrings';

/** Reads from the source what decorators cannot give: the answer types of handlers, and the docstrings. */
export class DeclaredTypes {
  private readonly program: ts.Program;
  private readonly checker: ts.TypeChecker;
  private readonly docstrings: Docstrings;
  private readonly writer: SchemaWriter;

  constructor(files: string[]) {
    this.program = ts.createProgram(
      files.map((file) => path.join(ROOT, file)),
      compilerOptions(),
      compilerHost(),
    );
    this.checker = this.program.getTypeChecker();
    this.docstrings = new Docstrings(this.checker);
    this.writer = new SchemaWriter(this.checker, this.docstrings.annotate);
  }

  /** The named types that the schemas returned so far refer to. */
  get definitions(): Record<string, JsonSchema> {
    return this.writer.definitions;
  }

  schemaOf(name: string): JsonSchema {
    return this.writer.schemaOf(this.checker.getDeclaredTypeOfSymbol(this.find(name)));
  }

  /** The schema of what a method of an exported class, or a route of a table, returns, without its promise. */
  answerOf(className: string, method: string): JsonSchema {
    const symbol = this.find(className);
    const typeOf = (member: ts.Symbol | undefined): ts.Type | undefined =>
      member && this.checker.getTypeOfSymbol(member);
    const route = typeOf(typeOf(typeOf(symbol)?.getProperty('routes'))?.getProperty(method));
    const member = route?.getProperty('handle') ?? this.checker.getDeclaredTypeOfSymbol(symbol).getProperty(method);
    const [signature] = member ? this.checker.getTypeOfSymbol(member).getCallSignatures() : [];
    const answer = signature && this.checker.getAwaitedType(signature.getReturnType());
    if (!answer) throw new Error(`${className}.${method} has no return type that can be answered.`);
    return this.writer.schemaOf(answer);
  }

  describe(className: string): string {
    return this.docstrings.descriptionOf(this.find(className));
  }

  /** The docstring of a field of a class or a constant, also of an inherited field. */
  describeField(owner: string, field: string): JsonSchema {
    const symbol = this.find(owner);
    const type =
      symbol.flags & ts.SymbolFlags.Class
        ? this.checker.getDeclaredTypeOfSymbol(symbol)
        : this.checker.getTypeOfSymbol(symbol);
    const member = type.getProperty(field);
    if (!member) throw new Error(`${owner} has no ${field}.`);
    return this.docstrings.annotate({}, member);
  }

  private find(name: string): ts.Symbol {
    for (const source of this.program.getSourceFiles()) {
      if (source.isDeclarationFile || source.fileName.includes('/node_modules/')) continue;
      const module = this.checker.getSymbolAtLocation(source);
      const found = module && this.checker.tryGetMemberInModuleExports(name, module);
      if (found) return found;
    }
    throw new Error(`No file exports ${name}.`);
  }
}
