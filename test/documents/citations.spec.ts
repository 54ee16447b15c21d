import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../../deploy/build/source-files';
import { type Citable, checkCitations, citingFiles, readCitable } from './citations';

const PLANTED: Citable = {
  decisions: new Set(['Order of checks']),
  API: new Set(['GET /jobs/{id}', 'Job', 'Job.usage']),
};
const wrongIn = (text: string): string[] => checkCitations(text, PLANTED).wrong;

describe('citations in code', () => {
  it('name a section of docs/decisions.md, or a part of the OpenAPI document', () => {
    const citable = readCitable();
    const checked = citingFiles().map((file) => {
      const { count, wrong } = checkCitations(readFileSync(path.join(ROOT, file), 'utf8'), citable);
      return { count, wrong: wrong.map((citation) => `${file}: ${citation} names nothing in this repository`) };
    });
    expect(checked.flatMap(({ wrong }) => wrong)).toEqual([]);
    expect(checked.reduce((sum, { count }) => sum + count, 0)).toBeGreaterThan(60);
  });

  it('are refused where nothing has that name, also across the lines of a comment', () => {
    const known = ['decisions: Order of\n * checks', 'API: GET /jobs/{id}', 'API: Job', 'API: Job.usage'];
    expect(known.flatMap((citation) => wrongIn(`/**\n * Why (${citation}).\n */`))).toEqual([]);
    const unknown = ['(decisions: Order of cheques)', '(API: GET /jobs/{name})', '(API: Joke)', '(API: Job.use)'];
    expect(unknown.flatMap(wrongIn)).toEqual(unknown);
    expect(wrongIn('// See (decisions: Order of\n  // cheques).')).toEqual(['(decisions: Order of cheques)']);
  });

  it.each(['/** Interface, "Limits": at most 5. */', '// Spec, POST /jobs', '/** See decisions, "Jobs". */'])(
    'are refused where they name a document that is not here: %s',
    (comment) => {
      expect(wrongIn(`${comment}\nconst x = 1;`)).toHaveLength(1);
      expect(wrongIn(comment.replaceAll(/[/*]/g, ''))).toEqual([]);
    },
  );
});
