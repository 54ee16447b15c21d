import path from 'node:path';
import { readLocalStackSettings } from '../local-stack.config';
import { StartProblem } from '../start-problem';
import { backUpStack } from './back-up-stack';

void main(process.argv[2]).then((exitCode) => process.exit(exitCode));

async function main(target: string | undefined): Promise<number> {
  try {
    if (target === undefined)
      throw new StartProblem('No target folder is given. Usage: npm run backup -- <a new folder>');
    const { dataDir } = readLocalStackSettings(process.env);
    await backUpStack(dataDir, path.resolve(target));
    process.stdout.write(`Backed up to ${target}. To go on from it: KINORA_DATA_DIR=${target} npm start\n`);
    return 0;
  } catch (error) {
    process.stderr.write(`${error instanceof StartProblem ? error.message : String(error)}\n`);
    return 1;
  }
}
