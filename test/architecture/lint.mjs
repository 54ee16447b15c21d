// Prints as JSON which lint rules the files of a tree break. It is a process of its own, because jest cannot load ES modules.
import path from 'node:path';
import { ESLint } from 'eslint';

const root = process.argv[2];
const eslint = new ESLint({
  cwd: root,
  overrideConfigFile: path.resolve(import.meta.dirname, '../../eslint.config.mjs'),
});
const results = await eslint.lintFiles(['.']);
process.stdout.write(
  JSON.stringify(
    results.map(({ filePath, messages }) => ({
      file: path.relative(root, filePath),
      rules: messages.map(({ ruleId, message }) => ruleId ?? message),
    })),
  ),
);
