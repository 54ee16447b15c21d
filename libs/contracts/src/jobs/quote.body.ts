import { IsObject, IsOneOf } from '../shared/field-rules';
import { OPERATION_NAMES, type OperationName } from './operation-name';

/** The request for a quote. */
export class QuoteBody {
  /** The operation that would create the job. */
  @IsOneOf(Object.values(OPERATION_NAMES))
  operation!: OperationName;

  /** The body of that operation. Its image fields may be left out. */
  @IsObject()
  request!: Record<string, unknown>;
}
