import { Inject } from '@nestjs/common';

// Apart from the logger, which programs without Nest load too.
export const LOGGER = Symbol('kinora:logger');

/** Injects the service's logger into a constructor. */
export function InjectLogger(): ParameterDecorator {
  return Inject(LOGGER);
}
