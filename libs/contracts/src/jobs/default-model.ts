/** Interface: the models that a request without `model` means. */
export const DEFAULT_MODEL = {
  'image.generation': 'general-image',
  'image.edit': 'image-edit',
  'video.generation': 'image-to-video',
} as const;
