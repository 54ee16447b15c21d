import { Bus } from './bus';
import type { BusLogger } from './bus-logger';
import { connectNats } from './connection';
import type { NatsTlsFiles } from './nats-tls-files';

const SILENT: BusLogger = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** A bus for programs that are no services, such as the operator's CLI. Rejects if the broker cannot be reached. */
export async function connectBus(
  url: string,
  name: string,
  tlsFiles: NatsTlsFiles = {},
): Promise<{ bus: Bus; close: () => Promise<void> }> {
  const connection = await connectNats({ url, name, logger: SILENT, tlsFiles, failFast: true });
  return { bus: new Bus(connection, SILENT), close: () => connection.drain() };
}
