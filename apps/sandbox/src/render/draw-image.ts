import { editImages } from '../edit/edit-images';
import { paintScene } from '../paint/paint-scene';
import { type RgbImage, toSharp } from '../raster/rgb-image';
import { sceneFromPrompt } from '../scene/scene-from-prompt';
import { applyStyles } from '../styles/apply-styles';
import { type ImageOrder } from '../drawing/draw-order';
import { moderationTestImage } from '../drawing/moderation-test-image';
import { provenanceXmp } from '../drawing/provenance-xmp';

/**
 * Draws one image and returns the bytes of its PNG: the same order gives the same bytes. `assertWanted` is called
 * regularly and may throw to stop the drawing.
 */
export async function drawImage(order: ImageOrder, assertWanted: () => void): Promise<Uint8Array> {
  if (order.blocked) return encodePng(await moderationTestImage(order.width, order.height), order.operation);
  const image = await imageOf(order, assertWanted);
  assertWanted();
  return encodePng(await applyStyles(image, order.styles, order.seed), order.operation);
}

async function imageOf(order: ImageOrder, assertWanted: () => void): Promise<RgbImage> {
  if (order.operation === 'image.edit') return editImages(order, assertWanted);
  return paintScene(sceneFromPrompt(order), order.width, order.height, assertWanted);
}

/** A PNG whose metadata states how it was made. */
async function encodePng(image: RgbImage, operation: ImageOrder['operation']): Promise<Uint8Array> {
  // Grain hardly compresses: a higher effort costs time and saves almost nothing.
  return toSharp(image)
    .withXmp(provenanceXmp(operation))
    .png({ compressionLevel: 4, adaptiveFiltering: false })
    .toBuffer();
}
