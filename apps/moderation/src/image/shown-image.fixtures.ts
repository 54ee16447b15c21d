import type { ShownImage } from '../judging/engine';
import { sha256Of } from '../judging/sha256';
import { TYPESCRIPT_ARGUMENTS } from '@kinora/testing';
import { ModerationConfig } from '../moderation.config';
import { ImageDecoder } from './image-decoder';
import { LARGE_IMAGES } from './large-images';

export function testDecoder(settings: Partial<ModerationConfig> = {}): ImageDecoder {
  const largeImages = { ...LARGE_IMAGES, execArgv: TYPESCRIPT_ARGUMENTS };
  return new ImageDecoder(Object.assign(new ModerationConfig(), { largeImages }, settings));
}

/** Decodes a file into the form that engines judge; an installation without external engines makes no JPEG. */
export function shownImage(bytes: Buffer, { withJpeg = true } = {}): Promise<ShownImage> {
  return testDecoder().decode({ param: null, bytes, sha256: sha256Of(bytes) }, { withJpeg });
}
