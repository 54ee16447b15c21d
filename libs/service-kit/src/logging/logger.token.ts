import { Inject } from '@nestjs/common';

export const LOGGER = Symbol('kinora:logger');

/** Asks for the service's logger in a constructor. */
export function InjectLogger(): ParameterDecorator {
  return Inject(LOGGER);
}
