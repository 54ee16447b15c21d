import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { openImage } from '@kinora/images';
import { InjectLogger, type Logger, Readiness, WorkLoop } from '@kinora/service-kit';
import { type ImageCanary, readImageCanaries } from '../image/image-canary';
import { ImageDecoder } from '../image/image-decoder';
import { readTestImage } from '../image/known-image';
import { canaryOutcome, canaryShownAt } from '../moderation.metrics';
import { TEST_TEXT } from '../text/lexicon';
import { type Content, Gate } from '../gate/gate';
import { sha256Of } from '../judging/sha256';

const EVERY_MS = 60_000;
/** Other processors compute with other roundings. */
const SCORE_TOLERANCE = 0.02;

/** Submits the canaries to the gate before the service takes work, and every minute. One canary that passes closes the gate. */
@Injectable()
export class Canaries implements OnModuleInit, OnApplicationShutdown {
  private canaries: Content[] = [];
  private fields: ImageCanary[] = [];
  private readonly loop: WorkLoop;

  constructor(
    private readonly gate: Gate,
    private readonly decoder: ImageDecoder,
    private readonly readiness: Readiness,
    @InjectLogger() logger: Logger,
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
    this.fields = await readImageCanaries();
    this.canaries = await makeCanaries(this.fields);
    await this.show();
    this.readiness.add('moderation_canaries', () => this.assertTrusted());
    this.loop.startIdle();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.loop.stop();
  }

  /** @throws Error when the gate passed a canary; the gate then passes nothing until it blocks all of them again. */
  async show(): Promise<void> {
    // First, so that the gate judges the field of colours by the score that it has just been given.
    const isScoring = await this.scoresAsKnown();
    const verdicts = await Promise.allSettled(this.canaries.map((canary) => this.gate.judge(canary)));
    const missed = verdicts.filter((verdict) => verdict.status === 'rejected' || verdict.value.outcome !== 'blocked');
    const isSound = missed.length === 0 && isScoring;
    canaryShownAt.setToCurrentTime();
    canaryOutcome.set(isSound ? 1 : 0);
    if (isSound) return this.gate.trust();
    this.gate.distrust();
    this.decoder.distrustScores();
    if (!isScoring) throw new Error('The image model does not give its canaries their known scores.');
    throw new Error(`The moderation gate did not block ${missed.length} of ${verdicts.length} canaries.`);
  }

  private async scoresAsKnown(): Promise<boolean> {
    const scores = await Promise.allSettled(
      this.fields.map(async ({ bytes }) => {
        const shown = await this.decoder.decode(
          { param: null, bytes, sha256: '' },
          { withJpeg: false, isCanary: true },
        );
        return shown.views()[0]?.sexual;
      }),
    );
    return this.fields.every(({ score }, at) => {
      const given = scores[at];
      return given?.status === 'fulfilled' && Math.abs((given.value ?? NaN) - score) <= SCORE_TOLERANCE;
    });
  }

  private async assertTrusted(): Promise<void> {
    if (!this.gate.isTrusted) throw new Error('The moderation gate does not block its canaries.');
  }
}

/**
 * The test text, a field of colours that only the image model blocks, and a modified copy of the test image: the SHA-256 of the
 * identical file would match even if perceptual hashing were broken.
 */
async function makeCanaries(fields: readonly ImageCanary[]): Promise<Content[]> {
  const copy = await openImage(await readTestImage())
    .resize(200)
    .jpeg()
    .toBuffer();
  const field = fields.at(-1);
  if (!field) throw new Error('There is no canary of the image model.');
  const images = [copy, field.bytes].map((bytes) => ({ param: null, bytes, sha256: sha256Of(bytes) }));
  return [
    { texts: [{ param: 'prompt', text: TEST_TEXT }], images: [] },
    ...images.map((image) => ({ texts: [], images: [image] })),
  ];
}
