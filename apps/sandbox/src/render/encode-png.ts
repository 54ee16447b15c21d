import { type Picture, toSharp } from '../raster/picture';
import { type PictureOrder } from '../drawing/draw-order';
import { provenanceXmp } from '../drawing/provenance-xmp';

/** A PNG whose metadata states how it was made. */
export async function encodePng(picture: Picture, operation: PictureOrder['operation']): Promise<Uint8Array> {
  // Grain hardly compresses: a higher effort costs time and saves almost nothing.
  return toSharp(picture)
    .withXmp(provenanceXmp(operation))
    .png({ compressionLevel: 4, adaptiveFiltering: false })
    .toBuffer();
}
