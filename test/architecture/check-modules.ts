// Fails when a module lacks a provider: `node -r ./test/typescript.cjs test/architecture/check-modules.ts`
import { moduleProblems } from './modules';

async function main(): Promise<void> {
  const problems = await moduleProblems();
  problems.forEach((problem) => console.log(problem));
  process.exitCode = problems.length === 0 ? 0 : 1;
}

void main();
