import { Inject } from '@nestjs/common';

export const LOGGER = Symbol('kinora:logger');

/** Injects the service's logger into a constructor. */
export function InjectLogger(): ParameterDecorator {
  return Inject(LOGGER);
}
