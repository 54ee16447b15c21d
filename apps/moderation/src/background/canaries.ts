import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { openImage } from '@kinora/images';
import { InjectLogger, type Logger, Readiness, WorkLoop } from '@kinora/service-kit';
import { readTestImage } from '../image/known-image';
import { canaryOutcome, canaryShownAt } from '../moderation.metrics';
import { TEST_TEXT } from '../text/lexicon';
import { type Content, Gate } from '../gate/gate';
import { sha256Of } from '../judging/sha256';

const EVERY_MS = 60_000;
const ONLY_BUILT_IN = { reason: 'No engine judges unknown images. Add one in moderation.yaml.' };

/** Submits the canaries to the gate before the service takes work, and every minute. One canary that passes closes the gate. */
@Injectable()
export class Canaries implements OnModuleInit, OnApplicationShutdown {
  private canaries: Content[] = [];
  private readonly loop: WorkLoop;

  constructor(
    private readonly gate: Gate,
    private readonly readiness: Readiness,
    @InjectLogger() private readonly logger: Logger,
  ) {
    this.loop = new WorkLoop({
      work: async () => {
        await this.show();
        return 'idle';
      },
      idleMs: EVERY_MS,
      onFailure: (error) => logger.error({ reason: String(error) }, 'moderation_canary_passed'),
    });
  }

  async onModuleInit(): Promise<void> {
    if (!this.gate.screensUnknownImages) this.logger.warn(ONLY_BUILT_IN, 'moderation_only_rules_and_hashes');
    this.canaries = await makeCanaries();
    await this.show();
    this.readiness.add('moderation_canaries', () => this.assertTrusted());
    this.loop.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.loop.stop();
  }

  /** @throws Error when the gate passed a canary; the gate then passes nothing until it blocks all of them again. */
  async show(): Promise<void> {
    const verdicts = await Promise.allSettled(this.canaries.map((canary) => this.gate.judge(canary)));
    const missed = verdicts.filter((verdict) => verdict.status === 'rejected' || verdict.value.outcome !== 'blocked');
    canaryShownAt.setToCurrentTime();
    canaryOutcome.set(missed.length === 0 ? 1 : 0);
    if (missed.length === 0) return this.gate.trust();
    this.gate.distrust();
    throw new Error(`The moderation gate did not block ${missed.length} of ${verdicts.length} canaries.`);
  }

  private async assertTrusted(): Promise<void> {
    if (!this.gate.isTrusted) throw new Error('The moderation gate does not block its canaries.');
  }
}

/**
 * Includes a modified copy of the image: the SHA-256 of the identical file would match even if perceptual hashing were broken.
 */
async function makeCanaries(): Promise<Content[]> {
  const image = await readTestImage();
  const copy = await openImage(image).resize(200).jpeg().toBuffer();
  const images = [image, copy].map((bytes) => ({ param: null, bytes, sha256: sha256Of(bytes) }));
  return [
    { texts: [{ param: 'prompt', text: TEST_TEXT }], images: [] },
    ...images.map((image) => ({ texts: [], images: [image] })),
  ];
}
