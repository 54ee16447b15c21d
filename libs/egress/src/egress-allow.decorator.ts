import { registerDecorator } from 'class-validator';
import { EgressAllowList } from './allow-list';

/**
 * Parses a setting into an EgressAllowList that must be empty in production, where no private network may be reachable.
 */
export function IsEgressAllow(): PropertyDecorator {
  return (prototype, property) =>
    registerDecorator({
      name: 'isEgressAllow',
      target: prototype.constructor,
      propertyName: String(property),
      validator: {
        validate: (value, validation) => findProblem(value, validation?.object) === null,
        defaultMessage: (validation) => findProblem(validation?.value, validation?.object) ?? '',
      },
    });
}

function findProblem(value: unknown, config: unknown): string | null {
  if (typeof value !== 'string') return 'must be a comma list of host:port or CIDR';
  try {
    EgressAllowList.parse(value);
  } catch (error) {
    return (error as RangeError).message;
  }
  return value !== '' && isProduction(config) ? 'is for development and refused in production' : null;
}

function isProduction(config: unknown): boolean {
  return typeof config === 'object' && config !== null && 'profile' in config && config.profile === 'production';
}
