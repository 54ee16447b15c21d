import type { ShownImage } from '../judging/engine';
import { sha256Of } from '../judging/sha256';
import { ModerationConfig } from '../moderation.config';
import { ImageDecoder } from './image-decoder';

export function testDecoder(settings: Partial<ModerationConfig> = {}): ImageDecoder {
  return new ImageDecoder(Object.assign(new ModerationConfig(), settings));
}

/** Decodes a file into the form that engines judge. */
export function shownImage(bytes: Buffer): Promise<ShownImage> {
  return testDecoder().decode({ param: null, bytes, sha256: sha256Of(bytes) }, { withJpeg: true });
}
