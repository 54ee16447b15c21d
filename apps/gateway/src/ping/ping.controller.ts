import { Controller, Get } from '@nestjs/common';
import type { Timestamp } from '@kinora/contracts/shared/scalars';
import { RoutePolicy } from '../http/route-policy';
import { Operation } from '../reference/operation.decorator';

/** The version of the API description (decisions: Versions). */
export const VERSION = '1.0.0';

/** The service is running. */
export interface Ping {
  ok: true;
  service: 'kinora';
  /** Of the API description. */
  version: string;
  time: Timestamp;
}

@Controller('ping')
export class PingController {
  @Get()
  @RoutePolicy({ access: 'open', ignoresUnknownQuery: true })
  @Operation({
    operationId: 'ping',
    tag: 'Service',
    summary: 'Check that the service is running',
    description: 'Needs no key.',
    answers: { 200: 'The service is running.' },
    errors: [],
  })
  ping(): Ping {
    return { ok: true, service: 'kinora', version: VERSION, time: new Date().toISOString() };
  }
}
