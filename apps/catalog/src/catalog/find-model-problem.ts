import type { FieldPath } from '@kinora/service-kit';
import { type BoundsDefinition, MAX_MICROS, type ModelDefinition, SIZE } from './model-definition';

interface ModelProblem {
  path: FieldPath;
  rule: string;
}

interface AllowedBounds {
  min: number;
  max: number;
}

/** A model may narrow the bounds of the API, never widen them (decisions: Models). */
const STEPS: AllowedBounds = { min: 1, max: 50 };
const GUIDANCE: AllowedBounds = { min: 0, max: 20 };
/** A side has 3 or 4 digits (API: ImageEditBody.size). */
const OUTPUT_SIDE: AllowedBounds = { min: 100, max: 9_999 };

/** Finds the first problem between the fields of a model; each field by itself is already valid. */
export function findModelProblem(model: ModelDefinition): ModelProblem | null {
  return (
    findCapabilityProblem(model) ??
    findMissingField(model) ??
    findMarkerProblem(model) ??
    findPriceProblem(model) ??
    findBoundsProblem('steps', model.steps, STEPS) ??
    findBoundsProblem('guidance', model.guidance, GUIDANCE) ??
    findBoundsProblem('output_side', model.output_side, OUTPUT_SIDE)
  );
}

/** Finds a capability that no operation can use, or a model without any. */
function findCapabilityProblem({ type, capabilities }: ModelDefinition): ModelProblem | null {
  const { t2i, edit, i2v, loras } = capabilities;
  const wrong = (field: string, rule: string): ModelProblem => ({ path: ['capabilities', field], rule });
  if (!t2i && !edit && !i2v) return { path: ['capabilities'], rule: 'must have at least one of t2i, edit and i2v' };
  if (type === 'image' && i2v) return wrong('i2v', 'must be false for type image');
  if (type === 'video' && t2i) return wrong('t2i', 'must be false for type video');
  if (type === 'video' && edit) return wrong('edit', 'must be false for type video');
  if (loras && !t2i && !i2v) return wrong('loras', 'must be left out for a model that can only do edit');
  return null;
}

/** Finds a missing field that jobs of a capability need. */
function findMissingField({ capabilities, output_side, output_frame }: ModelDefinition): ModelProblem | null {
  const { t2i, edit, i2v, sizes, max_n, max_refs, durations, fps } = capabilities;
  const missing = (field: string, capability: string): ModelProblem => ({
    path: ['capabilities', field],
    rule: `must be given for a model that can do ${capability}`,
  });
  if (t2i && !sizes) return missing('sizes', 't2i');
  if (t2i && max_n === undefined) return missing('max_n', 't2i');
  if (edit && !max_refs) return missing('max_refs', 'edit');
  if (edit && !output_side) return { path: ['output_side'], rule: 'must be given for a model that can do edit' };
  if (i2v && !durations) return missing('durations', 'i2v');
  if (i2v && fps === undefined) return missing('fps', 'i2v');
  if (i2v && !output_frame) return { path: ['output_frame'], rule: 'must be given for a model that can do i2v' };
  return null;
}

/** Markers read and write images. */
function findMarkerProblem({ type, routes }: ModelDefinition): ModelProblem | null {
  const marked = routes.findIndex(({ marker }) => marker === 'http');
  if (type === 'image' || marked === -1) return null;
  return { path: ['routes', marked, 'marker'], rule: 'must be none for type video' };
}

export function findPriceProblem({
  type,
  capabilities,
  price,
}: Pick<ModelDefinition, 'type' | 'capabilities' | 'price'>): ModelProblem | null {
  const per = type === 'image' ? 'image' : 'second';
  if (price.per !== per) return { path: ['price', 'per'], rule: `must be ${per} for type ${type}` };
  for (const [size, micros] of Object.entries(price.micros_by_size)) {
    const path = ['price', 'micros_by_size', size];
    if (capabilities.sizes && !capabilities.sizes.includes(size))
      return { path, rule: 'must be one of capabilities.sizes' };
    if (!SIZE.test(size)) return { path, rule: 'must be a size such as 1024x1024' };
    if (!Number.isSafeInteger(micros) || micros < 0 || micros > MAX_MICROS)
      return { path, rule: `must be a whole number of micros from 0 to ${MAX_MICROS}` };
  }
  return null;
}

function findBoundsProblem(
  field: string,
  bounds: (BoundsDefinition & { default?: number }) | undefined,
  allowed: AllowedBounds,
): ModelProblem | null {
  if (!bounds) return null;
  const { min, max } = bounds;
  if (min < allowed.min || max > allowed.max || min > max)
    return { path: [field], rule: `must lie within ${allowed.min} and ${allowed.max}, min not above max` };
  const preset = bounds.default ?? min;
  if (preset < min || preset > max) return { path: [field, 'default'], rule: 'must lie within min and max' };
  return null;
}
