import { Readable } from 'node:stream';
import type { DynamicModule, Type } from '@nestjs/common';
import type { NatsConnection } from '@kinora/bus';
import { KitModule, type ServiceConfig } from '@kinora/service-kit';
import { assertResolvable, createTestLog } from '@kinora/testing';
import { exportsOf, sourceFiles } from '../../deploy/build/source-files';

/** Preview mode creates no instances; only the connection is read: its status by the meter, and whether it is closed by the watch of the broker's majority. */
const UNCONNECTED = {
  status: () => Readable.from([]),
  isClosed: () => true,
} as unknown as NatsConnection;

type ServiceModule = Type & { forConfig?: (config: ServiceConfig) => DynamicModule };

/** The providers that each app's module lacks, one sentence each. Nothing is started. */
export async function moduleProblems(): Promise<string[]> {
  const problems = await Promise.all(sourceFiles('apps', /^apps\/([^/]+)\/src\/\1\.module\.ts$/).map(problemOf));
  return problems.flat();
}

async function problemOf(file: string): Promise<string[]> {
  const module = onlyClass<ServiceModule>(await exportsOf(file), /Module$/);
  const Config = onlyClass<new () => ServiceConfig>(
    await exportsOf(file.replace('.module.ts', '.config.ts')),
    /Config$/,
  );
  const config = new Config();
  return await missingProvider(module.forConfig?.(config) ?? module, config).then((problem) =>
    problem === null ? [] : [`${file}: ${problem}`],
  );
}

/** The reason why Nest cannot create the module's providers; null where it can. */
export async function missingProvider(module: Type | DynamicModule, config: ServiceConfig): Promise<string | null> {
  const kit = KitModule.forService(config, createTestLog().logger, UNCONNECTED);
  try {
    await assertResolvable({ module: class RootModule {}, imports: [kit, module] });
    return null;
  } catch (error) {
    const [reason = ''] = (error as Error).message.split('\n');
    return `${reason} Name it among the providers of the module.`;
  }
}

function onlyClass<Class>(exported: Record<string, unknown>, name: RegExp): Class {
  const [found] = Object.entries(exported).filter(([key, value]) => name.test(key) && typeof value === 'function');
  if (!found) throw new Error(`No class is called …${name.source}.`);
  return found[1] as Class;
}
