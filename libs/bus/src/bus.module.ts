import { type DynamicModule, Module } from '@nestjs/common';
import { Bus } from './bus';
import { BUS_METER } from './bus-meter';
import type { BusLogger } from './bus-logger';
import type { NatsConnection } from './connection';
import { meterConnection } from './connection-meter';
import { EventPublisher } from './event-stream';

/** Gives every provider of a service the bus over the process's one connection. */
@Module({})
export class BusModule {
  static forConnection(connection: NatsConnection, logger: BusLogger): DynamicModule {
    meterConnection(connection);
    return {
      module: BusModule,
      global: true,
      providers: [
        { provide: Bus, useValue: new Bus(connection, logger, BUS_METER) },
        { provide: EventPublisher, useValue: new EventPublisher(connection) },
      ],
      exports: [Bus, EventPublisher],
    };
  }
}
