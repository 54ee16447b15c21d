import type { Integer } from '../shared/scalars';

/** The sides of an image in pixels, after its EXIF orientation. */
export interface ImageSides {
  width: Integer;
  height: Integer;
}
