import { Injectable } from '@nestjs/common';
import type { ComputeProvider } from '@kinora/compute';
import { InjectLogger, type Logger, type WorkLoop } from '@kinora/service-kit';
import { ProbeProvider } from '../use-cases/probe-provider/probe-provider.use-case';
import { runnerLoop } from './runner-loop';

/** Work must continue within five seconds of a backend's return: a probe that hangs, this pause, and a probe that is answered. */
const PROBE_EVERY_MS = 1_500;

/** A loop for each provider, which probes it while its circuit breaker is open. */
@Injectable()
export class ProbeLoops {
  constructor(
    private readonly probeProvider: ProbeProvider,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  of(providers: ComputeProvider[]): WorkLoop[] {
    return providers.map((provider) =>
      runnerLoop('probe', () => this.probeProvider.execute(provider), this.logger, PROBE_EVERY_MS),
    );
  }
}
