import type { ShownImage } from '../src/judging/engine';
import { sha256Of } from '../src/judging/sha256';
import { TYPESCRIPT_ARGUMENTS } from '@kinora/testing';
import { ModerationConfig } from '../src/moderation.config';
import { ImageDecoder } from '../src/image/image-decoder';
import { LARGE_IMAGES } from '../src/image/decode-image';

export function testDecoder(settings: Partial<ModerationConfig> = {}): ImageDecoder {
  const largeImages = { ...LARGE_IMAGES, execArgv: TYPESCRIPT_ARGUMENTS };
  return new ImageDecoder(Object.assign(new ModerationConfig(), { largeImages }, settings));
}

/** Decodes a file into the form that engines judge; an installation without external engines makes no JPEG. */
export function shownImage(bytes: Buffer, { withJpeg = true } = {}): Promise<ShownImage> {
  return testDecoder().decode({ param: null, bytes, sha256: sha256Of(bytes) }, { withJpeg });
}
