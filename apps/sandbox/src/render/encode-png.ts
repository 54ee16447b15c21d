import { type Picture, toSharp } from '../raster/picture';
import { type PictureOrder } from '../drawing/draw-order';
import { provenanceXmp } from '../drawing/provenance-xmp';

/** A PNG that says in its metadata what it is. */
export async function encodePng(picture: Picture, operation: PictureOrder['operation']): Promise<Uint8Array> {
  // Grain does not compress: more effort than this costs time and saves next to nothing.
  return toSharp(picture)
    .withXmp(provenanceXmp(operation))
    .png({ compressionLevel: 4, adaptiveFiltering: false })
    .toBuffer();
}
