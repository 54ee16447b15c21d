import path from 'node:path';
import { exportsOf, sourceFiles } from '../../source-files';

/** The part of a contract that exists at run time, without its types. */
export type Contract =
  | { kind: 'rpc'; subject: string; errors: readonly string[]; batching?: { maxItems: number } }
  | { kind: 'event' | 'signal'; subject: string };

export interface DeclaredContract {
  context: string;
  file: string;
  /** The exported table that contains it, and its key there. */
  table: string;
  key: string;
  contract: Contract;
}

/** Every contract of libs/contracts, ordered by subject. */
export async function declaredContracts(): Promise<DeclaredContract[]> {
  const files = sourceFiles('libs/contracts/src', /\.(rpc|events)\.ts$/);
  const declared = (await Promise.all(files.map(contractsIn))).flat();
  return declared.sort((one, other) => one.contract.subject.localeCompare(other.contract.subject));
}

async function contractsIn(file: string): Promise<DeclaredContract[]> {
  const context = path.basename(path.dirname(file));
  return Object.entries(await exportsOf(file)).flatMap(([table, entries]) =>
    Object.entries(entries as Record<string, unknown>)
      .filter((entry): entry is [string, Contract] => isContract(entry[1]))
      .map(([key, contract]) => ({ context, file, table, key, contract })),
  );
}

function isContract(value: unknown): value is Contract {
  return typeof value === 'object' && value !== null && 'subject' in value && 'kind' in value;
}
