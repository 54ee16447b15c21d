import { connect, type NatsConnection } from 'nats';
import type { BusLogger } from './bus-logger';

export type { NatsConnection } from 'nats';

export interface ConnectOptions {
  url: string;
  /** Shows up in the broker's connection list. */
  name: string;
  logger: BusLogger;
}

/**
 * Connects, and reconnects for ever: the client's own default gives up after ten attempts and leaves a
 * service that looks alive and hears nothing.
 */
export async function connectNats({ url, name, logger }: ConnectOptions): Promise<NatsConnection> {
  const connection = await connect({
    servers: url,
    name,
    maxReconnectAttempts: -1,
    waitOnFirstConnect: true,
    reconnectTimeWait: 250,
    reconnectJitter: 250,
    pingInterval: 5_000,
    maxPingOut: 2,
  });
  void reportStatus(connection, logger);
  return connection;
}

async function reportStatus(connection: NatsConnection, logger: BusLogger): Promise<void> {
  for await (const status of connection.status()) {
    if (status.type === 'disconnect' || status.type === 'reconnect')
      logger.warn({ status: status.type }, 'nats_status');
    if (status.type === 'error') logger.error({ status: status.type, detail: String(status.data) }, 'nats_error');
  }
}
