import { Events, type NatsConnection } from 'nats';
import { natsConnected, natsReconnects } from './bus.metrics';
import { isConnected } from './connection';

/** Tells Prometheus of a service's one connection, for as long as it lives. */
export function meterConnection(connection: NatsConnection): void {
  natsConnected.readBy({}, () => (isConnected(connection) ? 1 : 0));
  void countReconnects(connection);
}

async function countReconnects(connection: NatsConnection): Promise<void> {
  for await (const { type } of connection.status()) if (type === Events.Reconnect) natsReconnects.inc();
}
