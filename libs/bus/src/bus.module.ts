import { type DynamicModule, Module } from '@nestjs/common';
import { Events, type NatsConnection } from 'nats';
import { Bus } from './bus';
import { BUS_METER } from './bus-meter';
import type { BusLogger } from './bus-logger';
import { natsConnected, natsReconnects } from './bus.metrics';
import { isConnected } from './connection';
import { EventPublisher } from './event-stream';

/** Provides the bus over the process's single connection to every provider of a service. */
@Module({})
export class BusModule {
  static forConnection(connection: NatsConnection, logger: BusLogger): DynamicModule {
    meterConnection(connection);
    return {
      module: BusModule,
      global: true,
      providers: [
        { provide: Bus, useValue: new Bus(connection, logger, BUS_METER) },
        { provide: EventPublisher, useValue: new EventPublisher(connection, logger) },
      ],
      exports: [Bus, EventPublisher],
    };
  }
}

/** Exports metrics of the service's connection for as long as the module exists. */
function meterConnection(connection: NatsConnection): void {
  natsConnected.readBy({}, () => (isConnected(connection) ? 1 : 0));
  void countReconnects(connection);
}

async function countReconnects(connection: NatsConnection): Promise<void> {
  for await (const { type } of connection.status()) if (type === Events.Reconnect) natsReconnects.inc();
}
