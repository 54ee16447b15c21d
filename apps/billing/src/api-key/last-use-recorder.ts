import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import { ApiKeyRepository } from './api-key.repository';

const FLUSH_EVERY_MS = 15_000;

/**
 * Collects the keys in use and writes them periodically, so that no admission waits for a write. A crash loses at most
 * one interval of a value that is only displayed.
 */
@Injectable()
export class LastUseRecorder implements OnApplicationBootstrap, OnModuleDestroy {
  private used = new Set<string>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly apiKeys: ApiKeyRepository,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.flush(), FLUSH_EVERY_MS);
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    await this.flush();
  }

  note(apiKeyId: string): void {
    this.used.add(apiKeyId);
  }

  async flush(): Promise<void> {
    const used = [...this.used];
    this.used.clear();
    if (used.length === 0) return;
    try {
      await this.apiKeys.noteUse(used);
    } catch (error) {
      this.logger.warn({ keys: used.length, reason: String(error) }, 'key_use_not_recorded');
    }
  }
}
