import { describeValues } from './describe-values';
import { readComments } from './value-comments';
import { valueLists } from './chart-readme';
import { flag, record, text, type Schema } from './value-types';

const SCHEMA = record({
  image: record({ tag: text, digest: text }),
  worker: { ...record({ enabled: flag, image: { ...record({ tag: text }), like: 'image' } }) },
});

const VALUES = `# The file.

# What is
# pulled.
image:
  # Version.
  tag: '1'
  digest: '' # exact content
# The worker.
worker:
  enabled: true # runs it
  # Its image.
  image: { tag: '#2' }
`;

/** A value of a section without a comment, and one whose comment is separated by an empty line. */
const UNDESCRIBED = VALUES.replace('  # Version.\n', '').replace('# The worker.\n', '# The worker.\n\n');

const describedBy = (values: string): Schema => describeValues(SCHEMA, readComments(values));

describe('descriptions of values', () => {
  it('are the comments above and beside the values, and for fields of the same kind those of the first', () => {
    expect(describedBy(VALUES)['properties']).toMatchObject({
      image: {
        description: 'What is pulled.',
        properties: { tag: { description: 'Version.' }, digest: { description: 'exact content' } },
      },
      worker: {
        description: 'The worker.',
        properties: {
          enabled: { description: 'runs it' },
          image: { description: 'Its image.', properties: { tag: { description: 'Version.' } } },
        },
      },
    });
    expect(JSON.stringify(describedBy(VALUES))).not.toContain('like');
  });

  it('are demanded of every value', () => {
    expect(() => describedBy(UNDESCRIBED)).toThrow(
      'Describe these values by a comment in values.yaml: image.tag, worker, worker.image.tag.',
    );
  });

  it('stand in a list for each section, with the defaults', () => {
    const list = valueLists(VALUES, describedBy(VALUES));
    expect(list).toContain('### `image`\n\nWhat is pulled.\n');
    expect(list).toContain("\n- `image.digest` (`''`): exact content\n");
    expect(list).toContain('\n- `worker.image` (`{"tag":"#2"}`): Its image.');
  });
});
