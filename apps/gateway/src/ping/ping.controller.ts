import { Controller, Get } from '@nestjs/common';
import type { Timestamp } from '@kinora/contracts/shared/scalars';
import { RoutePolicy } from '../http/route-policy';
import { Operation } from '../reference/operation.decorator';

/** The version of the API description (decisions: Versions). */
export const VERSION = '1.0.0';

/** That the service is there. */
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
  @RoutePolicy({ access: 'open' })
  @Operation({
    operationId: 'ping',
    tag: 'Service',
    summary: 'See whether the service is there',
    description: 'Needs no key.',
    answers: { 200: 'It is.' },
    errors: [],
  })
  ping(): Ping {
    return { ok: true, service: 'kinora', version: VERSION, time: new Date().toISOString() };
  }
}
