import { Catch, type ExceptionFilter } from '@nestjs/common';

/** Hands every failure to the bus server as it was thrown; Nest's own filter would replace it by a nameless one. */
@Catch()
export class PassThroughRpcFilter implements ExceptionFilter {
  catch(failure: unknown): never {
    throw failure;
  }
}
