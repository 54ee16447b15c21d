import { IsObject, IsOneOf } from '../shared/field-rules';
import { OPERATION_NAMES, type OperationName } from './operation-name';

/** The request for a quote. */
export class QuoteBody {
  /** The operation that would create the job. */
  @IsOneOf(Object.values(OPERATION_NAMES))
  operation!: OperationName;

  /**
   * The body of that operation. An image may be left out, or be stated by its sides, such as `{"width": 1280, "height": 720}`:
   * the price of some models depends on the size, which follows from the first image.
   */
  @IsObject()
  request!: Record<string, unknown>;
}
