import { type EditOperation } from './edit-operation';
import { JOIN_OPERATIONS } from './operations/join-operations';
import { SHAPE_OPERATIONS } from './operations/shape-operations';
import { STYLE_OPERATIONS } from './operations/style-operations';
import { TEXTURE_OPERATIONS } from './operations/texture-operations';
import { TONE_OPERATIONS } from './operations/tone-operations';
import { WEATHER_OPERATIONS } from './operations/weather-operations';

/** All edits that an instruction can ask for. */
export const EDIT_OPERATIONS: readonly EditOperation[] = [
  ...TONE_OPERATIONS,
  ...SHAPE_OPERATIONS,
  ...TEXTURE_OPERATIONS,
  ...STYLE_OPERATIONS,
  ...WEATHER_OPERATIONS,
  ...JOIN_OPERATIONS,
];
