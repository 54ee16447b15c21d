import path from 'node:path';
import ts from 'typescript';
import type { GeneratedFiles } from '../generated-files';
import { compilerHost, compilerOptions } from '../compiler-options';
import { ROOT } from '../../source-files';
import { type DeclaredContract, declaredContracts } from './declared-contracts';
import { type JsonSchema, SchemaWriter } from './json-schema';

/** The golden file of each context: the request, the answer and the errors of every subject. */
export async function goldenSchemas(): Promise<GeneratedFiles> {
  const declared = await declaredContracts();
  const program = ts.createProgram(
    declared.map(({ file }) => path.join(ROOT, file)),
    compilerOptions(),
    compilerHost(),
  );
  const contexts = [...new Set(declared.map(({ context }) => context))].sort();
  return Object.fromEntries(
    contexts.map((context) => {
      const ofContext = declared.filter((contract) => contract.context === context);
      return [
        `test/contract/golden/${context}.json`,
        `${JSON.stringify(describeContext(ofContext, program), null, 2)}\n`,
      ];
    }),
  );
}

function describeContext(declared: DeclaredContract[], program: ts.Program): JsonSchema {
  const writer = new SchemaWriter(program.getTypeChecker());
  const subjects = Object.fromEntries(
    declared.map((contract) => [contract.contract.subject, describeContract(contract, program, writer)]),
  );
  const definitions = Object.entries(writer.definitions).sort(([one], [other]) => one.localeCompare(other));
  return { subjects, $defs: Object.fromEntries(definitions) };
}

function describeContract(declared: DeclaredContract, program: ts.Program, writer: SchemaWriter): JsonSchema {
  const { contract } = declared;
  const [first, second] = messageTypes(declared, program);
  if (contract.kind !== 'rpc') return { kind: contract.kind, payload: schemaOf(first, writer) };
  const errors = [...contract.errors].sort();
  return { kind: 'rpc', errors, request: schemaOf(first, writer), response: schemaOf(second, writer) };
}

function schemaOf(type: ts.Type | undefined, writer: SchemaWriter): JsonSchema {
  if (!type) throw new Error('The contract does not declare the types of its messages.');
  return writer.schemaOf(type);
}

/** The type arguments of the contract's declaration, which exist at compile time only. */
function messageTypes({ file, table, key }: DeclaredContract, program: ts.Program): readonly ts.Type[] {
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(path.join(ROOT, file));
  const module = source && checker.getSymbolAtLocation(source);
  const exported = module && checker.getExportsOfModule(module).find(({ name }) => name === table);
  const entry = exported && checker.getTypeOfSymbol(exported).getProperty(key);
  if (!entry) throw new Error(`${file} does not export ${table}.${key}.`);
  return checker.getTypeArguments(checker.getTypeOfSymbol(entry) as ts.TypeReference);
}
