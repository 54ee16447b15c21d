import type { ShownImage } from '../judging/engine';
import { sha256Of } from '../judging/sha256';
import { ModerationConfig } from '../moderation.config';
import { ImageDecoder } from './image-decoder';

export function testDecoder(settings: Partial<ModerationConfig> = {}): ImageDecoder {
  return new ImageDecoder(Object.assign(new ModerationConfig(), settings));
}

/** A file as engines are shown it. */
export function shownImage(bytes: Buffer): Promise<ShownImage> {
  return testDecoder().decode({ param: null, bytes, sha256: sha256Of(bytes) }, { withJpeg: true });
}
