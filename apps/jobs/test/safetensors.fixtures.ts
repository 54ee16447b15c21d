export interface TensorParts {
  dtype: unknown;
  shape: unknown;
  data_offsets: unknown;
}

const TENSOR: TensorParts = { dtype: 'F16', shape: [2, 3], data_offsets: [0, 12] };

/** A safetensors file: the length of the header, the header, the tensors. */
export function safetensors(parts: { header?: unknown; data?: Buffer; name?: string } = {}): Buffer {
  const { header = { __metadata__: { format: 'pt' }, [parts.name ?? 'lora_up.weight']: TENSOR }, data } = parts;
  const text = Buffer.from(typeof header === 'string' ? header : JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  return Buffer.concat([length, text, data ?? Buffer.alloc(12, 7)]);
}

export function headerOf(parts: Partial<TensorParts>): object {
  return { 'lora_up.weight': { ...TENSOR, ...parts } };
}
