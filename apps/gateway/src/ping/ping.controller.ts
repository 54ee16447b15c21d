import { Controller, Get } from '@nestjs/common';
import { Door } from '../http/route-policy';

/** Interface, "Versioning": "The interface description is version 1.0.0." */
const VERSION = '1.0.0';

export interface Ping {
  ok: true;
  service: 'kinora';
  version: string;
  time: string;
}

@Controller('ping')
export class PingController {
  @Get()
  @Door({ access: 'open' })
  ping(): Ping {
    return { ok: true, service: 'kinora', version: VERSION, time: new Date().toISOString() };
  }
}
