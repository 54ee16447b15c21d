/** Flags without a value; every other one is followed by its value. */
const WITHOUT_VALUE = new Set(['--json', '--help', '-h', '--enabled', '--disabled', '--without-job']);

/**
 * Moves flags with their values behind the words, so that an operator may write them anywhere: the parser accepts
 * `--name` only after the command that defines it.
 */
export function putFlagsLast(argv: string[]): string[] {
  const words: string[] = [];
  const flags: string[] = [];
  for (let index = 0; index < argv.length; index++) {
    const part = argv[index] as string;
    if (!part.startsWith('-')) words.push(part);
    else if (WITHOUT_VALUE.has(part) || part.includes('=')) flags.push(part);
    else flags.push(...argv.slice(index, ++index + 1));
  }
  return [...words, ...flags];
}
