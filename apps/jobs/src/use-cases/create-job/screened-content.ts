import type { CreateJobRequest } from '@kinora/contracts/jobs/jobs.rpc';
import type { ScreenedImage, ScreenedText } from '@kinora/contracts/moderation/moderation.rpc';
import { inputImages } from './input-images';

/** Everything of a request that moderation must see: each prompt, each negative prompt, each input image. */
export function screenedContent(request: CreateJobRequest): { texts: ScreenedText[]; images: ScreenedImage[] } {
  const { prompt, negative_prompt: negativePrompt } = request.input;
  const texts: ScreenedText[] = [];
  if (prompt !== undefined) texts.push({ param: 'prompt', text: prompt });
  if (negativePrompt !== undefined) texts.push({ param: 'negative_prompt', text: negativePrompt });
  return { texts, images: inputImages(request).map(({ object_key, param }) => ({ object_key, param })) };
}
