import { statement } from './statement';
import { firstIdOf, monthAfter } from './month';
import {
  ALL_MONTHS,
  groupByMonths,
  inGivenMonths,
  inMonthsOfIds,
  inOpenMonths,
  monthsOfRows,
  withinMonths,
} from './month-bounds';

const OPEN = { from: new Date('2026-11-01'), until: new Date('2027-01-01') };
const bound = (time: string) => firstIdOf(new Date(time));
const idAt = (time: string) => bound(time).replace('-8000-', '-8abc-');

describe('a statement within months', () => {
  it.each([
    { condition: inOpenMonths('id'), values: [], name: 'find 24322-24324', from: '2026-11-01', until: '2027-01-01' },
    {
      condition: inMonthsOfIds('id'),
      values: [idAt('2026-12-31T23:59:59Z')],
      name: 'find 24322-24324',
      from: '2026-11-01',
      until: '2027-01-01',
    },
    {
      condition: inMonthsOfIds('id'),
      values: [[idAt('2026-03-31'), null, idAt('2026-02-01')]],
      name: '',
      from: '2026-02-01',
      until: '2026-04-01',
    },
    { condition: inMonthsOfIds('id'), values: [[]], name: 'find 24322-24324', from: '2026-11-01', until: '2027-01-01' },
    {
      condition: inGivenMonths('id'),
      values: [],
      name: 'find 23640-130675',
      from: ALL_MONTHS.from.toISOString(),
      until: ALL_MONTHS.until.toISOString(),
    },
  ])('$condition of $values reads from $from until $until', ({ condition, values, name, from, until }) => {
    const made = withinMonths(statement('find', `SELECT WHERE ${condition}`, { idsAt: 0 }), OPEN, values);
    expect(made).toMatchObject({
      name,
      label: 'find',
      text: `SELECT WHERE id >= '${bound(from)}' AND id < '${bound(until)}'`,
    });
  });

  it('follows the open months, and is not prepared for months of a day', () => {
    const find = statement('find', `SELECT WHERE ${inGivenMonths('id')}`);
    const months = monthsOfRows(new Date('2026-03-02'), new Date('2026-03-30T12:00:00Z'));
    expect(withinMonths(find, OPEN, [], months)).toMatchObject({
      name: '',
      text: expect.stringContaining(bound('2026-02-01')),
    });
    expect(withinMonths(find, OPEN, [], OPEN)).toMatchObject({ name: 'find 24322-24324' });
    expect(withinMonths(find, { ...OPEN, from: new Date('2026-12-01') }, [], OPEN)).toMatchObject({ name: '' });
  });

  it('joins months that follow one another, in any order', () => {
    const months = ['2026-05-02', '2026-01-03', '2026-03-01', '2026-04-01', '2026-05-02'].map((day) => ({
      from: monthAfter(new Date(day), 0),
      until: monthAfter(new Date(day), 1),
    }));
    const { text } = withinMonths(statement('find', `SELECT WHERE ${inGivenMonths('id')}`), OPEN, [], months);
    const between = (from: string, until: string) => `id >= '${bound(from)}' AND id < '${bound(until)}'`;
    expect(text).toBe(
      `SELECT WHERE (${between('2026-01-01', '2026-02-01')} OR ${between('2026-03-01', '2026-06-01')})`,
    );
  });

  it('reads ids of the open months together, and those of other months by month', () => {
    const ids = ['2026-12-01', '2026-03-01', '2026-11-02', '2026-03-31', '2026-04-01'].map(idAt);
    expect(groupByMonths(ids, OPEN)).toEqual([[ids[0], ids[2]], [ids[1], ids[3]], [ids[4]]]);
  });
});
