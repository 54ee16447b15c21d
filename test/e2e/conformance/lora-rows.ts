import { type FieldRow, accepts, refuses, refusesOtherTypes, refusesUnstorable } from './field-rows';

/** A LoRA of the built-in catalog. */
const LORA = { id: 'ink-wash' };

const one = (what: string, item: unknown, path = ''): FieldRow => refuses('loras', what, [item], `loras[0]${path}`);

/** An invalid field of an item, derived from the rows of a body field. */
const inItem = (rows: FieldRow[], beside: object = {}): FieldRow[] =>
  rows.map(({ field, what, value }) => one(`${field} with ${what}`, { ...beside, [field]: value }, `.${field}`));

/** Applies to every model that accepts LoRAs (decisions: LoRAs). */
export const LORA_ITEM_ROWS: FieldRow[] = [
  accepts('loras', 'an empty list', []),
  ...refusesOtherTypes('loras', 'a list'),
  ...[null, 1, 'ink-wash', []].map((item) => one(`the item ${JSON.stringify(item)}`, item)),
  one('an item without id and url', {}),
  one('an item of only a strength', { strength: 1 }),
  one('an unknown field', { ...LORA, weight: 1 }, '.weight'),
  one('an empty id', { id: '' }, '.id'),
  one('an id of 129 characters', { id: 'l'.repeat(129) }, '.id'),
  one('an unknown id of 128 characters', { id: 'l'.repeat(128) }, '.id'),
  ...inItem(refusesOtherTypes('id', 'a text')),
  ...inItem(refusesUnstorable('id')),
  ...inItem(refusesOtherTypes('url', 'a text')),
  ...inItem(refusesOtherTypes('strength', 'a number'), LORA),
];

/** On an image model, whose LoRAs are those of the catalog. */
export const CATALOG_LORA_ROWS: FieldRow[] = [
  ...LORA_ITEM_ROWS,
  accepts('loras', 'three items', [LORA, { id: 'pixel-art' }, { id: 'duotone' }]),
  refuses('loras', 'four items', [LORA, LORA, LORA, LORA]),
  accepts('loras', 'a strength of 0.1', [{ ...LORA, strength: 0.1 }]),
  accepts('loras', 'a strength of 1.5', [{ ...LORA, strength: 1.5 }]),
  one('a strength below 0.1', { ...LORA, strength: 0.09 }, '.strength'),
  one('a strength above 1.5', { ...LORA, strength: 1.51 }, '.strength'),
  one('id and url together', { ...LORA, url: 'https://example.com/a.safetensors' }),
  one('a url', { url: 'https://example.com/a.safetensors' }, '.url'),
  one('a low_url', { ...LORA, low_url: 'https://example.com/a.safetensors' }, '.low_url'),
  refuses('loras', 'an invalid second item', [LORA, { id: 'nobody' }], 'loras[1].id'),
];
