import { Injectable, type OnModuleInit } from '@nestjs/common';
import { openImage } from '@kinora/images';
import { Readiness } from '@kinora/service-kit';
import { readTestPicture } from '../image/test-picture';
import { TEST_TEXT } from '../text/lexicon';
import { type Content, Gate } from './gate';
import { sha256Of } from './sha256';

/** Shows the gate what it must block, before the service takes work and whenever it is asked whether it is ready. */
@Injectable()
export class Canaries implements OnModuleInit {
  private canaries: Content[] = [];

  constructor(
    private readonly gate: Gate,
    private readonly readiness: Readiness,
  ) {}

  async onModuleInit(): Promise<void> {
    this.canaries = await makeCanaries();
    await this.assertBlocked();
    this.readiness.add('moderation_canaries', () => this.assertBlocked());
  }

  private async assertBlocked(): Promise<void> {
    const verdicts = await Promise.all(this.canaries.map((canary) => this.gate.judge(canary)));
    const passed = verdicts.filter(({ outcome }) => outcome === 'passed').length;
    if (passed > 0) throw new Error(`The moderation gate let ${passed} of ${verdicts.length} canaries pass.`);
  }
}

/** The picture also as a copy, because the very file would be known by its SHA-256 even if nothing were recognised. */
async function makeCanaries(): Promise<Content[]> {
  const picture = await readTestPicture();
  const copy = await openImage(picture).resize(200).jpeg().toBuffer();
  const images = [picture, copy].map((bytes) => ({ param: null, bytes, sha256: sha256Of(bytes) }));
  return [
    { texts: [{ param: 'prompt', text: TEST_TEXT }], images: [] },
    ...images.map((image) => ({ texts: [], images: [image] })),
  ];
}
