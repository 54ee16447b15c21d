import { toPython } from './python-types';

/** What follows the header of the module. */
function declared(schemas: Parameters<typeof toPython>[0]): string {
  return toPython(schemas).split('from ._typing import ReadOnly\n').at(-1) as string;
}

const TEXT = { type: 'string' };

describe('the types of the Python client', () => {
  it('separate required fields from optional ones', () => {
    const properties = { name: { ...TEXT, description: 'Its name.' }, count: { type: ['integer', 'null'] } };
    expect(declared({ Thing: { type: 'object', properties, required: ['name'] } })).toContain(
      [
        'class _ThingRequired(TypedDict):',
        '    name: str',
        '    """Its name."""',
        '',
        '',
        'class Thing(_ThingRequired, total=False):',
        '    count: Optional[int]',
      ].join('\n'),
    );
  });

  it('write a field that is a keyword of Python in the form that takes one', () => {
    const usage = { type: 'object', properties: { from: TEXT, to: TEXT }, required: ['from', 'to'] };
    expect(declared({ Usage: usage })).toContain('"from": "str",');
  });

  it('name the variants of a union by the property that only they have', () => {
    const variant = (name: string) => ({
      type: 'object',
      properties: { [name]: TEXT, n: TEXT },
      required: [name, 'n'],
    });
    const text = declared({ Group: { oneOf: [variant('day'), variant('model')] } });
    expect(text).toContain('class GroupDay(TypedDict):');
    expect(text).toContain('Group = Union["GroupDay", "GroupModel"]');
  });

  it('refuse variants that nothing distinguishes', () => {
    const variant = () => ({ type: 'object', properties: { n: TEXT } });
    expect(() => declared({ Group: { oneOf: [variant(), variant()] } })).toThrow('same properties');
  });

  it('take files where the client reads them, and let a subclass narrow the output of a job', () => {
    const edit = { type: 'object', properties: { images: { type: 'array', items: TEXT } } };
    const job = { type: 'object', properties: { output: { type: ['string', 'null'] } }, required: ['output'] };
    const text = declared({ ImageEditBody: edit, Job: job });
    expect(text).toContain('images: List[FileSource]');
    expect(text).toContain('output: ReadOnly[Optional[str]]');
  });
});
