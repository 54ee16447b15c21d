import type { ReceivedTask } from '../conformance/fake-backend.fixtures';
import type { ReceivedHttpRequest } from '../http/fake-http-server.fixtures';
import type { DialectName } from './openai-images-settings';

/** A submission as a server of the dialect parses it, or null for one that it would refuse. */
export async function readSubmission(dialect: DialectName, request: ReceivedHttpRequest): Promise<ReceivedTask | null> {
  const type = String(request.headers['content-type']);
  if (!type.startsWith('multipart/')) return readJson(dialect, request);
  const form = await new Response(request.body, { headers: { 'content-type': type } }).formData();
  const files = [...form.getAll('image'), ...form.getAll('input_reference')].filter((part) => part instanceof File);
  const images = await Promise.all(files.map(async (file) => Buffer.from(await file.arrayBuffer())));
  const text = (name: string): string | null => {
    const value = form.get(name);
    return typeof value === 'string' ? value : null;
  };
  return {
    prompt: text('prompt'),
    negativePrompt: text('negative_prompt'),
    seed: seedOf(dialect, text('seed')),
    n: Number(text('n') ?? 1),
    ...sizeOf(text('size')),
    images,
  };
}

interface Body {
  prompt: string;
  negative_prompt?: string;
  size?: string;
  n?: number;
  seed?: number;
  ref_images?: string[];
  start_image?: string;
}

function readJson(dialect: DialectName, { path, body: bytes }: ReceivedHttpRequest): ReceivedTask | null {
  // vLLM-Omni accepts a video as a form only.
  if (dialect === 'vllm-omni' && path === '/v1/videos') return null;
  const body = JSON.parse(bytes.toString()) as Body;
  const { size, n = 1, start_image: start } = body;
  const files = [...(body.ref_images ?? []), ...(start === undefined ? [] : [start])];
  const [prompt = '', negativePrompt = null] =
    dialect === 'localai' && path !== '/video' ? body.prompt.split('|') : [body.prompt, body.negative_prompt];
  const images = files.filter(isBareBase64).map((file) => Buffer.from(file, 'base64'));
  return { prompt, negativePrompt, seed: seedOf(dialect, body.seed ?? null), n, ...sizeOf(size ?? null), images };
}

/** Without a seed, SGLang uses 1024, and the others a random one. */
function seedOf(dialect: DialectName, received: string | number | null): number | null {
  if (received !== null) return Number(received);
  return dialect === 'sglang' ? 1024 : null;
}

/** All servers use a default size where they cannot parse the given one. */
function sizeOf(size: string | null): { width: number; height: number } {
  const [, width, height] = /^(\d+)x(\d+)$/.exec(size ?? '') ?? [];
  return { width: Number(width ?? 512), height: Number(height ?? 512) };
}

/** LocalAI logs an image that is not bare base64, and continues without it. */
function isBareBase64(text: string): boolean {
  return /^[A-Za-z0-9+/=]+$/.test(text);
}
