import { statement } from '@kinora/database';
import { type TestDatabase, createTestDatabase } from '@kinora/testing';
import { BLANK_CHARACTERS, isStorableText, isVisibleText, isRecord } from './texts';

const WITHIN = { min: 1, max: 10 };

const ECHO = {
  text: statement('text_echo', 'SELECT $1::text AS value'),
  jsonb: statement('jsonb_echo', 'SELECT $1::jsonb AS value'),
};

describe('storable text', () => {
  it.each([
    ['a', true],
    ['0123456789', true],
    ['😀'.repeat(10), true],
    ['', false],
    ['0123456789a', false],
    ['😀'.repeat(11), false],
    [null, false],
    [['a'], false],
    [7, false],
  ])('of 1 to 10 code points: %j is %s', (value, isOne) => {
    expect(isStorableText(value, WITHIN)).toBe(isOne);
  });

  it('is visible unless all of its characters are of the class that the API description shows', () => {
    const isBlank = new RegExp(`^[${BLANK_CHARACTERS}]$`);
    const basicPlane = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code));
    const storable = basicPlane.filter((character) => isStorableText(character, WITHIN));
    expect(storable.filter((character) => isVisibleText(character, WITHIN) === isBlank.test(character))).toEqual([]);
  });

  describe('in PostgreSQL', () => {
    let database: TestDatabase;

    beforeAll(async () => {
      database = await createTestDatabase('texts', []);
    });

    afterAll(() => database.close());

    async function isGivenBack(value: string, type: keyof typeof ECHO): Promise<boolean> {
      const sent = type === 'text' ? value : JSON.stringify(value);
      const given = await database.database.query<{ value: string }>(ECHO[type], [sent]).catch(() => null);
      return given?.[0]?.value === value;
    }

    it.each([
      'plain',
      'é\u0301',
      '😀',
      '\u0001\u001f',
      '\ufeff\ufffe\uffff',
      'a\0b',
      '\0',
      'a\ud83d',
      '\ude00a',
      '\ude00\ud83d',
    ])('%j is storable if and only if both text and jsonb return it unchanged', async (value) => {
      const given = (await isGivenBack(value, 'text')) && (await isGivenBack(value, 'jsonb'));
      expect(isStorableText(value, WITHIN)).toBe(given);
    });
  });
});

describe('is record', () => {
  it.each([[{}], [{ a: 1 }], [Object.create(null)]])('takes %j', (value: unknown) => {
    expect(isRecord(value)).toBe(true);
  });

  it.each([[null], [undefined], [[]], [['a']], ['text'], [1], [true], [() => undefined]])(
    'refuses %p',
    (value: unknown) => {
      expect(isRecord(value)).toBe(false);
    },
  );
});
