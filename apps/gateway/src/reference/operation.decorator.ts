import { SetMetadata } from '@nestjs/common';
import type { ErrorCode, ErrorType } from '@kinora/contracts/shared/errors';
import type { FieldsClass } from '@kinora/contracts/shared/rule-context';

export const OPERATION_METADATA = 'kinora:operation';

/** What a reader of the reference is told of a route, beyond what its code says by itself. */
export interface OperationFacts {
  operationId: string;
  tag: 'Jobs' | 'Catalog' | 'Account' | 'Service';
  summary: string;
  description?: string;
  /** What each status of success means. */
  answers: Partial<Record<200 | 202, string>>;
  body?: FieldsClass;
  query?: FieldsClass;
  /** Whether an Idempotency-Key may come along. */
  idempotent?: boolean;
  /** What the services behind may refuse; what the door refuses is known from its policy. */
  errors: readonly ErrorCode[];
  /** Where a code has another type here than in the table. */
  errorTypes?: Partial<Record<ErrorCode, ErrorType>>;
}

/** Describes a route in the reference. A route of the API without it fails the check. */
export function Operation(facts: OperationFacts): MethodDecorator {
  return SetMetadata(OPERATION_METADATA, facts);
}
