import { sentFields } from './compiled-fields';

describe('the fields that were sent', () => {
  it('are those with a value, also in the items of a list', () => {
    const image = new Uint8Array(2);
    const sent = { prompt: 'a fox', n: null, loras: [{ id: 'a', strength: null }], images: [image, 'x'], seed: 0 };
    const fields = sentFields(sent);
    expect(fields).toEqual({ prompt: 'a fox', loras: [{ id: 'a' }], images: [image, 'x'], seed: 0 });
    expect((fields as { images: unknown[] }).images[0]).toBe(image);
  });

  it('keep null where it is no field: in a free object, in a list, and as the whole body', () => {
    const sent = { metadata: { k: null }, images: [null] };
    expect(sentFields(sent)).toEqual(sent);
    const deep = { a: [{ b: [{ c: null }] }] };
    expect(sentFields(deep)).toEqual(deep);
    expect([sentFields(null), sentFields([null]), sentFields('x')]).toEqual([null, [null], 'x']);
  });
});
