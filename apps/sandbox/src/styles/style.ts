import { type RgbImage } from '../raster/rgb-image';
import { type Random } from '../raster/random';

/**
 * Redraws an image in one style; the same random series gives the same result. `boldness`, from 1 to 1.5, makes the
 * style itself coarser, for strengths above a full blend over the image.
 */
export type Style = (image: RgbImage, random: Random, boldness?: number) => RgbImage | Promise<RgbImage>;
