import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { HealthCheckService, HealthIndicatorService, type HealthIndicatorResult } from '@nestjs/terminus';
import { Bus } from '@kinora/bus';
import { register } from '@kinora/metrics';
import { ServiceConfig } from '../config/service.config';
import type { Logger } from '../logging/logger';
import { InjectLogger } from '../logging/logger.token';
import { Readiness, type ReadinessProbe } from './readiness';

/**
 * The probes and metrics of a service, on a separate port that clients cannot reach: `/livez` (fails only if a restart would
 * help), `/readyz` (its dependencies answer), `/metrics` (Prometheus).
 */
@Injectable()
export class HealthServer implements OnModuleInit, OnApplicationShutdown {
  private readonly server: Server = createServer((request, response) => {
    // The HTTP server does not await this handler. A rejection that escaped here would end the process.
    this.serve(request, response).catch((error: unknown) => this.fail(response, error));
  });

  constructor(
    private readonly config: ServiceConfig,
    private readonly readiness: Readiness,
    private readonly bus: Bus,
    private readonly checks: HealthCheckService,
    private readonly indicators: HealthIndicatorService,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  async onModuleInit(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(this.config.healthPort, this.config.healthHost, resolve);
    });
  }

  async onApplicationShutdown(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    switch (request.url) {
      case '/livez':
        return await this.answerProbes(response, [['broker_client', () => this.assertOpen()]]);
      case '/readyz':
        return await this.answerProbes(response, this.readiness.list());
      case '/metrics':
        return await answerMetrics(response);
      case undefined:
      default:
        return answer(response, 404, { status: 'not_found' });
    }
  }

  private fail(response: ServerResponse, error: unknown): void {
    this.logger.error({ stack: error instanceof Error ? error.stack : String(error) }, 'health_request_failed');
    answer(response, 500, { status: 'failed' });
  }

  /**
   * A dependency that is away is no reason for a restart. A client that has closed for good is, because only a restart
   * reconnects it.
   */
  private async assertOpen(): Promise<void> {
    if (this.bus.isClosed()) throw new Error('closed for good');
  }

  private async answerProbes(response: ServerResponse, probes: [string, ReadinessProbe][]): Promise<void> {
    try {
      const indicators = probes.map(
        ([name, probe]) =>
          () =>
            this.indicate(name, probe),
      );
      answer(response, 200, await this.checks.check(indicators));
    } catch (error) {
      // Terminus throws the result of a failed check, with the report inside.
      const report = error instanceof Error && 'getResponse' in error ? (error as UnreadyError).getResponse() : {};
      answer(response, 503, report);
    }
  }

  private async indicate(name: string, probe: ReadinessProbe): Promise<HealthIndicatorResult> {
    const indicator = this.indicators.check(name);
    try {
      await this.readiness.run(probe);
      return indicator.up();
    } catch (error) {
      return indicator.down(error instanceof Error ? error.message : 'failed');
    }
  }
}

type UnreadyError = Error & { getResponse(): object };

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}

async function answerMetrics(response: ServerResponse): Promise<void> {
  const metrics = await register.metrics();
  response.writeHead(200, { 'Content-Type': register.contentType }).end(metrics);
}
