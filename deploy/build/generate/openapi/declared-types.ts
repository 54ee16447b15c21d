import path from 'node:path';
import ts from 'typescript';
import { type JsonSchema, SchemaWriter } from '../contracts/json-schema';
import { compilerOptions } from '../compiler-options';
import { ROOT } from '../../source-files';
import { Docstrings } from './docstrings';

/** What only the source tells: the types that handlers answer, and the docstrings. */
export class DeclaredTypes {
  private readonly program: ts.Program;
  private readonly checker: ts.TypeChecker;
  private readonly docstrings: Docstrings;
  private readonly writer: SchemaWriter;

  constructor(files: string[]) {
    this.program = ts.createProgram(
      files.map((file) => path.join(ROOT, file)),
      compilerOptions(),
    );
    this.checker = this.program.getTypeChecker();
    this.docstrings = new Docstrings(this.checker);
    this.writer = new SchemaWriter(this.checker, this.docstrings.annotate);
  }

  /** The named types that the schemas given so far refer to. */
  get definitions(): Record<string, JsonSchema> {
    return this.writer.definitions;
  }

  /** What an exported type allows. */
  schemaOf(name: string): JsonSchema {
    return this.writer.schemaOf(this.checker.getDeclaredTypeOfSymbol(this.find(name)));
  }

  /** What a method of an exported class answers, or promises to. */
  answerOf(className: string, method: string): JsonSchema {
    const member = this.checker.getDeclaredTypeOfSymbol(this.find(className)).getProperty(method);
    const [signature] = member ? this.checker.getTypeOfSymbol(member).getCallSignatures() : [];
    const answer = signature && this.checker.getAwaitedType(signature.getReturnType());
    if (!answer) throw new Error(`${className}.${method} answers nothing.`);
    return this.writer.schemaOf(answer);
  }

  /** What the docstring of an exported class says. */
  describe(className: string): string {
    return this.docstrings.descriptionOf(this.find(className));
  }

  /** What the docstring of a field says, of a class or of a constant, its own or an inherited one. */
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
