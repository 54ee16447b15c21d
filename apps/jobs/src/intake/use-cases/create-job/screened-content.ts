import type { CreateJobRequest } from '@kinora/contracts/jobs/jobs.rpc';
import type { ScreenedImage, ScreenedText } from '@kinora/contracts/moderation/moderation.rpc';
import { imagesOf } from '../../new-job';
import { textFieldsOf } from './screened-fields';

/** Everything of a request that moderation must screen: each text that `SCREENED_FIELDS` names, and each input image. */
export function screenedContent(request: CreateJobRequest): { texts: ScreenedText[]; images: ScreenedImage[] } {
  const images = imagesOf(request).map(({ object_key, param }) => ({ object_key, param }));
  return { texts: screenedTexts(request), images };
}

/** A screened field that is not a field of the input is a compile error. */
function screenedTexts(request: CreateJobRequest): ScreenedText[] {
  switch (request.kind) {
    case 'image.generation':
      return pickTexts(request.input, textFieldsOf(request.kind));
    case 'image.edit':
      return pickTexts(request.input, textFieldsOf(request.kind));
    case 'video.generation':
      return pickTexts(request.input, textFieldsOf(request.kind));
  }
}

function pickTexts<Input, Field extends keyof Input & string>(input: Input, fields: Field[]): ScreenedText[] {
  return fields.flatMap((param) => {
    const text = input[param];
    return typeof text === 'string' ? [{ param, text }] : [];
  });
}
