import { editPictures } from '../edit/edit-pictures';
import { paintScene } from '../paint/paint-scene';
import { type Picture, toSharp } from '../raster/picture';
import { sceneFromPrompt } from '../scene/scene-from-prompt';
import { applyStyles } from '../styles/apply-styles';
import { type PictureOrder } from '../drawing/draw-order';
import { moderationTestPicture } from '../drawing/moderation-test-picture';
import { provenanceXmp } from '../drawing/provenance-xmp';

/**
 * Draws one image and returns the bytes of its PNG: the same order gives the same bytes. `assertWanted` is called
 * regularly and may throw to stop the drawing.
 */
export async function drawPicture(order: PictureOrder, assertWanted: () => void): Promise<Uint8Array> {
  if (order.blocked) return encodePng(await moderationTestPicture(order.width, order.height), order.operation);
  const picture = await pictureOf(order, assertWanted);
  assertWanted();
  return encodePng(await applyStyles(picture, order.styles, order.seed), order.operation);
}

async function pictureOf(order: PictureOrder, assertWanted: () => void): Promise<Picture> {
  if (order.operation === 'image.edit') return editPictures(order, assertWanted);
  return paintScene(sceneFromPrompt(order), order.width, order.height, assertWanted);
}

/** A PNG whose metadata states how it was made. */
async function encodePng(picture: Picture, operation: PictureOrder['operation']): Promise<Uint8Array> {
  // Grain hardly compresses: a higher effort costs time and saves almost nothing.
  return toSharp(picture)
    .withXmp(provenanceXmp(operation))
    .png({ compressionLevel: 4, adaptiveFiltering: false })
    .toBuffer();
}
