import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Type } from 'class-transformer';
import { IsInt, IsString, Min, ValidateNested } from 'class-validator';
import { ConfigError } from './config-problem';
import { readOperatorFile } from './operator-document';

class Ferry {
  @IsString()
  name!: string;

  @IsInt()
  @Min(1)
  seats = 12;
}

class Harbour {
  @ValidateNested({ each: true })
  @Type(() => Ferry)
  ferries: Ferry[] = [];
}

const NO_ALIAS = 'is an alias, and no anchor before it has this name; a text that begins with * needs quotes';

describe('operator file', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'operator-file-'));
  const file = path.join(folder, 'harbour.yaml');
  afterAll(() => rmSync(folder, { recursive: true }));

  const read = (text: string) => {
    writeFileSync(file, text);
    return readOperatorFile(file, Harbour);
  };

  it('is null if the file does not exist', () => {
    expect(readOperatorFile(path.join(folder, 'none.yaml'), Harbour)).toBeNull();
  });

  it('returns the values of the file, and defaults for missing ones', () => {
    expect(read('ferries:\n  - name: Ada\n')?.content.ferries).toEqual([{ name: 'Ada', seats: 12 }]);
    expect(read('# nothing yet\n')?.content.ferries).toEqual([]);
  });

  it.each([
    ['ferries:\n  - name: Ada\n    seats: 0\n  - name: 7\n', '3: ferries[0].seats: seats must not be less than 1'],
    ['ferries:\n  - name: Ada\n  - seats: 3\n', '3: ferries[1].name: name must be a string'],
    ['ferries:\n  - name: Ada\n    seat: 3\n', '3: ferries[0].seat: property seat should not exist'],
    ['ferries:\n  - nmae: Ada\n    seats: 3\n', '2: ferries[0].nmae: property nmae should not exist'],
    ['ferries:\n  - name: Ada\n    name: Eve\n', '3: Map keys must be unique'],
    ['- name: Ada\n', '1: must be a map of settings'],
    ['ferries:\n  - name: *ada\n', `2: *ada ${NO_ALIAS}`],
    ['ferries: &all\n  - *all\n', `2: *all ${NO_ALIAS}`],
  ])('names the first invalid line of %j', (text, problem) => {
    expect(() => read(text)).toThrow(new ConfigError(`${file}:${problem}`));
  });

  it('names the line of a violation that its reader reports', () => {
    const harbour = read('ferries:\n  - name: Ada\n  - name: Ada\n');
    expect(harbour?.errorAt(['ferries', 1, 'name'], 'is taken').message).toBe(`${file}:3: ferries[1].name: is taken`);
  });

  it('replaces environment variables, and names the first that is not set', () => {
    writeFileSync(file, 'ferries:\n  - name: ${FIRST} of ${PORT}\n  - name: ${SECOND}\n');
    const ferries = readOperatorFile(file, Harbour, { FIRST: 'Ada', SECOND: '', PORT: 'Kiel' })?.content.ferries;
    expect(ferries?.map(({ name }) => name)).toEqual(['Ada of Kiel', '']);
    expect(() => readOperatorFile(file, Harbour, { FIRST: 'Ada', PORT: 'Kiel' })).toThrow(
      new ConfigError(`${file}:3: ferries[1].name: the environment variable SECOND is not set`),
    );
  });
});
