/** The type of an input: another node's output, a text, a number within bounds, an item of a list, a file of a model folder. */
export type InputRule =
  | { kind: 'link' }
  | { kind: 'optional_link' }
  | { kind: 'text' }
  | { kind: 'number'; type: 'INT' | 'FLOAT'; min: number; max: number }
  | { kind: 'choice'; options: string[] }
  | { kind: 'model'; folder: string }
  | { kind: 'upload' };

export interface NodeClass {
  inputs: Record<string, InputRule>;
  isOutput: boolean;
}

const LINK: InputRule = { kind: 'link' };
const OPTIONAL_LINK: InputRule = { kind: 'optional_link' };
const TEXT: InputRule = { kind: 'text' };
/** 2^64-1, as near as a double comes. */
const MAX_SEED = 18446744073709551615;
const STRENGTH = float(-100, 100);
const SAMPLER = { sampler_name: choice('euler', 'dpmpp_2m'), scheduler: choice('simple', 'karras') };

/** The node classes that the templates use, with the input names and bounds of real servers, as far as the fake checks them. */
export const NODE_CLASSES: Record<string, NodeClass> = {
  CheckpointLoaderSimple: node({ ckpt_name: model('checkpoints') }),
  UNETLoader: node({ unet_name: model('diffusion_models'), weight_dtype: choice('default', 'fp8_e4m3fn') }),
  CLIPLoader: node({ clip_name: model('text_encoders'), type: choice('wan', 'qwen_image') }),
  DualCLIPLoader: node({
    clip_name1: model('text_encoders'),
    clip_name2: model('text_encoders'),
    type: choice('flux'),
  }),
  VAELoader: node({ vae_name: model('vae') }),
  LoraLoader: node({
    model: LINK,
    clip: LINK,
    lora_name: model('loras'),
    strength_model: STRENGTH,
    strength_clip: STRENGTH,
  }),
  LoraLoaderModelOnly: node({ model: LINK, lora_name: model('loras'), strength_model: STRENGTH }),
  ModelSamplingAuraFlow: node({ model: LINK, shift: float(0, 100) }),
  ModelSamplingSD3: node({ model: LINK, shift: float(0, 100) }),
  CFGNorm: node({ model: LINK, strength: float(0, 100) }),
  CLIPTextEncode: node({ text: TEXT, clip: LINK }),
  TextEncodeQwenImageEditPlus: node({
    clip: LINK,
    prompt: TEXT,
    vae: OPTIONAL_LINK,
    image1: OPTIONAL_LINK,
    image2: OPTIONAL_LINK,
    image3: OPTIONAL_LINK,
  }),
  FluxGuidance: node({ conditioning: LINK, guidance: float(0, 100) }),
  EmptyLatentImage: node(batch()),
  EmptySD3LatentImage: node(batch()),
  EmptyImage: node({ ...batch(), color: int(0, 0xffffff) }),
  LoadImage: node({ image: { kind: 'upload' } }),
  ImageScale: node({
    image: LINK,
    upscale_method: choice('nearest-exact', 'bilinear', 'area', 'bicubic', 'lanczos'),
    width: int(0, 16_384),
    height: int(0, 16_384),
    crop: choice('disabled', 'center'),
  }),
  FluxKontextImageScale: node({ image: LINK }),
  ImageInvert: node({ image: LINK }),
  ImageBlend: node({ image1: LINK, image2: LINK, blend_factor: float(0, 1), blend_mode: choice('normal', 'multiply') }),
  RepeatImageBatch: node({ image: LINK, amount: int(1, 4_096) }),
  WanImageToVideo: node({ positive: LINK, negative: LINK, vae: LINK, ...batch(), length: int(1, 16_384) }),
  KSampler: node({ model: LINK, seed: int(0, MAX_SEED), steps: int(1, 10_000), cfg: float(0, 100), ...SAMPLER }),
  KSamplerAdvanced: node({ model: LINK, noise_seed: int(0, MAX_SEED), steps: int(1, 10_000), ...SAMPLER }),
  VAEDecode: node({ samples: LINK, vae: LINK }),
  CreateVideo: node({ images: LINK, fps: float(1, 120) }),
  SaveImage: node({ images: LINK, filename_prefix: TEXT }, true),
  SaveVideo: node({ video: LINK, filename_prefix: TEXT }, true),
};

function node(inputs: Record<string, InputRule>, isOutput = false): NodeClass {
  return { inputs, isOutput };
}

function batch(): Record<string, InputRule> {
  return { width: int(1, 16_384), height: int(1, 16_384), batch_size: int(1, 4_096) };
}

function int(min: number, max: number): InputRule {
  return { kind: 'number', type: 'INT', min, max };
}

function float(min: number, max: number): InputRule {
  return { kind: 'number', type: 'FLOAT', min, max };
}

function choice(...options: string[]): InputRule {
  return { kind: 'choice', options };
}

function model(folder: string): InputRule {
  return { kind: 'model', folder };
}
