/**
 * `like` names the path of another value that has the same fields. A field without a comment of its own in values.yaml has the comment
 * of that value's field; the published schema has no `like`.
 */
export type Schema = Record<string, unknown>;

export const text = { type: 'string' };
export const flag = { type: 'boolean' };
export const count = { type: 'integer', minimum: 0 };
export const positive = { type: 'integer', minimum: 1 };
export const port = { type: 'integer', minimum: 1, maximum: 65_535 };
export const name = { type: 'string', pattern: '^([a-z]([a-z0-9-]*[a-z0-9])?)?$' };
export const labels = { type: 'object', additionalProperties: text };
export const free = { type: 'object' };
export const list = { type: 'array', items: free };
export const named = {
  type: 'array',
  items: { type: 'object', properties: { name: { ...text, description: 'Its name.' } }, required: ['name'] },
};
export const host = { type: 'string', pattern: '^[A-Za-z0-9*]([A-Za-z0-9.-]*[A-Za-z0-9])?$' };
export const address = { type: 'string', pattern: '^(https?://[^\\s/?#]+)?/?$' };

export const digest = { type: 'string', pattern: '^(sha256:[a-f0-9]{64})?$' };
export const tag = { type: 'string', pattern: '^([A-Za-z0-9_][A-Za-z0-9._-]{0,127})?$', not: { enum: ['latest'] } };
export const repository = { type: 'string', minLength: 1 };
export const credential = {
  ...record({ existingSecret: text, secretKey: { type: 'string', minLength: 1 }, value: text }),
  like: 'secrets.urlSigningKey',
};
export const optionalCredential = {
  ...record({ existingSecret: text, secretKey: text, value: text }),
  like: 'secrets.urlSigningKey',
};
/** The image of a server that is not ours, which has no version by default. */
export const serverImage = { ...record({ repository, tag: { ...tag, minLength: 1 }, digest }), like: 'image' };
export const serverVolume = { ...record({ size: text, storageClassName: text }), like: 'storage.filesystem' };
export const store = { ...record({ port, to: list }), like: 'networkPolicy.postgres' };
const ipv4Ranges = { type: 'array', items: { type: 'string', pattern: '^[0-9.]+/[0-9]{1,2}$' } };
export const ranges = {
  ...record({
    ipv4: ipv4Ranges,
    ipv6: { type: 'array', items: { type: 'string', pattern: '^[0-9A-Fa-f:.]+/[0-9]{1,3}$' } },
  }),
  like: 'networkPolicy.privateRanges',
};
export const clientRanges = { type: 'array', items: { type: 'string', pattern: '^[0-9A-Fa-f:.]+/[0-9]{1,3}$' } };
/** Fields of a pod whatever it runs. */
export const placement: Record<string, Schema> = {
  podAnnotations: labels,
  podLabels: labels,
  nodeSelector: labels,
  tolerations: list,
  affinity: free,
  priorityClassName: text,
};

export function record(properties: Record<string, Schema>): Schema {
  return { type: 'object', additionalProperties: false, properties };
}
