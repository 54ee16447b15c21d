/** Four or more numbers with signs between them, or with the code around each, as in `chr(97)+chr(98)`. */
const NUMBERS =
  /(?<!\d)\d{1,3}(?:(?:[^\p{L}\d]{1,8}\d{1,3}(?!\d)){3,}|(?<written>\D{1,8})\d{1,3}(?!\d)(?:\k<written>\d{1,3}(?!\d)){2,})/gu;
/** Prefix of octal numbers in programs. */
const OCTAL_MARK = /0o(?=[0-7]{2,3}(?!\d))/g;
const LAST_BYTE = 255;
const ALPHABET_LETTERS = 26;
const A = 97;

/** The text that a list of numbers encodes: bytes in decimal or octal, or positions in the alphabet. */
export function readNumbers(text: string, decodeBytes: (bytes: Buffer) => string): string[] {
  return (text.replace(OCTAL_MARK, '').match(NUMBERS) ?? []).flatMap((part) => {
    const written = part.match(/\d+/g) ?? [];
    const numbers = written.map(Number);
    const said: string[] = [];
    if (numbers.every((number) => number <= LAST_BYTE)) said.push(decodeBytes(Buffer.from(numbers)));
    if (written.every(isOctal))
      said.push(decodeBytes(Buffer.from(written.map((digits) => Number.parseInt(digits, 8)))));
    if (2 * numbers.filter(isPlace).length > numbers.length) said.push(numbers.map(letterAt).join(''));
    return said;
  });
}

function isOctal(digits: string): boolean {
  return /^[0-3]?[0-7]{1,2}$/.test(digits);
}

function isPlace(number: number): boolean {
  return number > 0 && number <= ALPHABET_LETTERS;
}

/** Zero and numbers beyond the alphabet separate words. */
function letterAt(place: number): string {
  return isPlace(place) ? String.fromCharCode(A + place - 1) : ' ';
}
