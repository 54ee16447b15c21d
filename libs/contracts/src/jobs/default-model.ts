/** The model of a request without `model` (decisions: Models). */
export const DEFAULT_MODEL = {
  'image.generation': 'general-image',
  'image.edit': 'image-edit',
  'video.generation': 'image-to-video',
} as const;
