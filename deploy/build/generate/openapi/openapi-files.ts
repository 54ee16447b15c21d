import { GatewayModule } from '../../../../apps/gateway/src/gateway.module';
import type { GeneratedFiles } from '../generated-files';
import { consoleDocument } from './console-document';
import { exportsOf, sourceFiles } from '../../source-files';
import { type ControllerClass, assertServed } from './api-routes';
import { openAiDocument } from './openai-document';
import { CONTROLLER, openApiDocument } from './openapi-document';

/** The references that the gateway serves, and that of the console's backend. @throws Error if the code and its descriptions do not match */
export async function openApiFiles(): Promise<GeneratedFiles> {
  const exported = await Promise.all(sourceFiles('apps/gateway/src', CONTROLLER).map(exportsOf));
  assertServed(exported.flatMap(Object.values).filter(isClass), GatewayModule);
  return {
    'apps/gateway/openapi.json': toFile(openApiDocument(GatewayModule)),
    'apps/gateway/openapi.openai.json': toFile(openAiDocument(GatewayModule)),
    'apps/console/openapi.json': toFile(consoleDocument()),
  };
}

function toFile(document: object): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

function isClass(value: unknown): value is ControllerClass {
  return typeof value === 'function';
}
