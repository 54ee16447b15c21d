import { listResults } from './output-files';

const file = (filename: string) => ({ filename, subfolder: 'jobs/x', type: 'output' });

describe('results', () => {
  it('are in the order of their seeds, in whatever order their nodes ran', () => {
    const outputs = {
      sampler: { images: [file('out-3_00001_.png')] },
      '31': { images: [file('out-10_00001_.png')] },
      '12': { images: [file('out_00001_.png'), file('out-2_00001_.png')] },
    };
    expect(listResults(outputs).map(({ filename }) => filename)).toEqual([
      'out_00001_.png',
      'out-2_00001_.png',
      'out-3_00001_.png',
      'out-10_00001_.png',
    ]);
  });

  it('are the files that the graph saves, without its previews', () => {
    const images = [{ ...file('preview.png'), type: 'temp' }, file('out_00001_.png')];
    expect(listResults({ '7': { images } })).toEqual([{ filename: 'out_00001_.png', subfolder: 'jobs/x' }]);
  });

  it('keep the order of a batch', () => {
    const images = [file('out_00001_.png'), file('out_00002_.png'), file('other.png')];
    expect(listResults({ '7': { images } }).map(({ filename }) => filename)).toEqual(
      images.map(({ filename }) => filename),
    );
  });
});
