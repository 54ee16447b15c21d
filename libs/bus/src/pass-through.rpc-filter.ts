import { Catch, type ExceptionFilter } from '@nestjs/common';

/** Passes every error to the bus server as it was thrown. Nest's own filter would replace it by one without details. */
@Catch()
export class PassThroughRpcFilter implements ExceptionFilter {
  catch(failure: unknown): never {
    throw failure;
  }
}
