import type { DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';

/**
 * Fails with the name of the first provider that the modules lack. Nest's preview resolves every constructor's parameters
 * and makes no instance, so nothing connects, and nothing that would have to be closed stays open.
 */
export async function assertResolvable(root: DynamicModule): Promise<void> {
  await NestFactory.createApplicationContext(root, { preview: true, logger: false, abortOnError: false });
}
