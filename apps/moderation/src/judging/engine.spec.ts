import { type Finding, type Opinion, worseOpinion, worstOfEach } from './engine';

const calm: Opinion = { objection: null, isByThreshold: false, scores: { risk: 0.1, other: 0.4 } };
const risky: Opinion = { objection: 'risk', isByThreshold: true, scores: { risk: 0.9 } };
const refused: Opinion = { objection: 'refused', isByThreshold: false, scores: {} };

function found(engine: string, opinion: Opinion): Finding {
  return { content: 'video', param: null, contentSha256: '0'.repeat(64), engine, opinion };
}

describe('opinions of several views', () => {
  it('merge to the highest score of each category and to any objection, in any order', () => {
    const worst = { objection: 'risk', isByThreshold: true, scores: { risk: 0.9, other: 0.4 } };

    expect(worseOpinion(calm, risky)).toEqual(worst);
    expect(worseOpinion(risky, calm)).toEqual(worst);
    expect(worstOfEach([calm, risky, calm].map((opinion) => found('one', opinion)))).toEqual([found('one', worst)]);
  });

  it('are by a threshold only if there is no other objection, which a threshold could not remove', () => {
    expect([worseOpinion(risky, refused), worseOpinion(refused, risky)]).toMatchObject([
      { objection: 'risk', isByThreshold: false },
      { objection: 'refused', isByThreshold: false },
    ]);
  });

  it('are kept apart by engine', () => {
    expect(worstOfEach([found('one', calm), found('other', risky)])).toEqual([
      found('one', calm),
      found('other', risky),
    ]);
  });
});
