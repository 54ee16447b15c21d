import { type ArgumentsHost, Catch, type RpcExceptionFilter } from '@nestjs/common';
import { type Observable, throwError } from 'rxjs';

/** Hands every failure to the bus server as it was thrown; Nest's own filter would replace it by a nameless one. */
@Catch()
export class PassThroughRpcFilter implements RpcExceptionFilter {
  catch(failure: unknown, _host: ArgumentsHost): Observable<never> {
    return throwError(() => failure);
  }
}
