import type { DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';

/**
 * Fails with the name of the first provider that the modules lack. Nest's preview mode resolves every constructor parameter
 * without creating instances, so nothing connects and nothing needs to be closed.
 */
export async function assertResolvable(root: DynamicModule): Promise<void> {
  await NestFactory.createApplicationContext(root, { preview: true, logger: false, abortOnError: false });
}
