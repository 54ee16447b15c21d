/** Writes all generated files, or those of some generators: `npm run generate -- openapi chart`. */
import { GENERATORS, staleFiles, writeFiles } from './generators';

async function main(): Promise<void> {
  const named = process.argv.slice(2);
  for (const name of named.length > 0 ? named : Object.keys(GENERATORS)) {
    const generate = GENERATORS[name];
    if (!generate) throw new Error(`${name} is no generator: ${Object.keys(GENERATORS).join(', ')}.`);
    // One after the other, because some read what others write.
    const generated = await generate();
    for (const file of await staleFiles(generated)) console.log(`${file} written`);
    await writeFiles(generated);
  }
}

void main();
