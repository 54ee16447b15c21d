import { SetMetadata } from '@nestjs/common';
import type { ErrorCode, ErrorType } from '@kinora/contracts/shared/errors';
import type { FieldsClass } from '@kinora/contracts/shared/compiled-fields';

export const OPERATION_METADATA = 'kinora:operation';

/** Facts of a route for the API reference that its code does not show. */
export interface OperationFacts {
  operationId: string;
  tag: 'Jobs' | 'Events' | 'Catalog' | 'Account' | 'Webhooks' | 'Service';
  summary: string;
  description?: string;
  /** The meaning of each success status. */
  answers: Partial<Record<200 | 201 | 202 | 204, string>>;
  /** Whether 200 is an event stream: always, or for clients that accept `text/event-stream`. The return type is the data. */
  streams?: 'only' | 'also';
  body?: FieldsClass;
  query?: FieldsClass;
  /** Whether the route accepts an Idempotency-Key. */
  idempotent?: boolean;
  /** Whether the route accepts `Prefer: wait=N`. */
  waits?: boolean;
  /** Errors of the services behind the gateway; errors of the admission hook follow from the route policy. */
  errors: readonly ErrorCode[];
  /** Error types that differ from the table on this route. */
  errorTypes?: Partial<Record<ErrorCode, ErrorType>>;
}

/** Describes a route in the reference. A route of the API without it fails the check. */
export function Operation(facts: OperationFacts): MethodDecorator {
  return SetMetadata(OPERATION_METADATA, facts);
}
