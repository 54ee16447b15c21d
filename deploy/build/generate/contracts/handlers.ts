import { PATTERN_METADATA } from '@nestjs/microservices/constants';
import { exportsOf, sourceFiles } from '../../source-files';

/** A controller's method that handles a subject. */
export interface Handler {
  app: string;
  file: string;
  subject: string;
  /** `JobsController.cancel` */
  method: string;
}

/** Every handler of every app, read from the decorators' metadata, without starting an app. */
export async function handlers(): Promise<Handler[]> {
  const files = sourceFiles('apps', /\.controller\.ts$/);
  return (await Promise.all(files.map(async (file) => handlersOf(file, await exportsOf(file))))).flat();
}

export function handlersOf(file: string, exported: Record<string, unknown>): Handler[] {
  const app = file.split('/')[1] ?? file;
  return Object.values(exported)
    .filter(isClass)
    .flatMap((controller) =>
      Object.getOwnPropertyNames(controller.prototype).flatMap((name) =>
        subjectsOf(controller.prototype[name]).map((subject) => ({
          app,
          file,
          subject,
          method: `${controller.name}.${name}`,
        })),
      ),
    );
}

function subjectsOf(member: unknown): string[] {
  if (typeof member !== 'function') return [];
  return (Reflect.getMetadata(PATTERN_METADATA, member) as string[] | undefined) ?? [];
}

function isClass(value: unknown): value is { name: string; prototype: Record<string, unknown> } {
  return typeof value === 'function' && typeof value.prototype === 'object';
}
