import { csvLine, usdOf } from './export-csv.query';

describe('a line of CSV', () => {
  it.each([
    ['=1+1', "'=1+1"],
    ['+cmd', "'+cmd"],
    ['-cmd', "'-cmd"],
    ['@sum', "'@sum"],
    ['\tx', "'\tx"],
    ['\n=1', `"'\n=1"`],
    ['＝1+1', "'＝1+1"],
    ['＠sum', "'＠sum"],
    ['-5', '-5'],
    ['-0.25', '-0.25'],
    ['=a,b', `"'=a,b"`],
    ['say "x"', '"say ""x"""'],
    ['two\nlines', '"two\nlines"'],
    // Spreadsheets of many countries separate cells by it, and then read a formula in the second one.
    ['shop;=1+1', '"shop;=1+1"'],
    [null, ''],
    [7, '7'],
  ])('has %j as %j', (cell, text) => {
    expect(csvLine([cell, 'x'])).toBe(`${text},x\r\n`);
  });
});

describe('an amount', () => {
  it.each([
    [0, '0.000000'],
    [1, '0.000001'],
    [-1, '-0.000001'],
    [1_234_567, '1.234567'],
    [-25_000_000, '-25.000000'],
    [9_007_199_254_740_991, '9007199254.740991'],
  ])('of %d micros is %s', (micros, usd) => {
    expect(usdOf(micros)).toBe(usd);
  });
});
