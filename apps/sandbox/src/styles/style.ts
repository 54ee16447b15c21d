import { type Picture } from '../raster/picture';
import { type Random } from '../raster/random';

/**
 * Redraws a picture in its own manner; the same random series, the same result. `boldness`, from 1 to 1.5, makes the
 * manner itself coarser where a style is asked for more strongly than by laying it over the picture as a whole.
 */
export type Style = (picture: Picture, random: Random, boldness?: number) => Picture | Promise<Picture>;
