import type { OnApplicationShutdown } from '@nestjs/common';
import { Bus, closeConnection, connectNats, type NatsConnection } from '@kinora/bus';
import type { Logger, Readiness } from '@kinora/service-kit';
import type { ConsoleConfig } from '../console.config';

/** The second connection of a process that serves both halves. */
export class CustomerConnection implements OnApplicationShutdown {
  private constructor(
    private readonly connection: NatsConnection,
    readonly bus: Bus,
  ) {}

  static async open(
    { customerNatsUrl, natsUrl, natsTls }: ConsoleConfig,
    logger: Logger,
    readiness: Readiness,
  ): Promise<CustomerConnection> {
    const url = customerNatsUrl || natsUrl;
    const connection = await connectNats({ url, name: 'console-customer', logger, tlsFiles: natsTls });
    const bus = new Bus(connection, logger);
    readiness.add('customer_broker', () => bus.pingBroker());
    return new CustomerConnection(connection, bus);
  }

  async onApplicationShutdown(): Promise<void> {
    await closeConnection(this.connection);
  }
}

/** The connection of the customer half. Each request that its user of the broker may publish proves a key or a link. */
export abstract class CustomerBus extends Bus {}
