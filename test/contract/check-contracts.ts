// Fails when a contract has no handler, or a handler no contract: `node -r ./test/typescript.cjs test/contract/check-contracts.ts`
import { contractProblems } from './completeness';
import { declaredContracts } from './declared-contracts';
import { handlers } from './handlers';

async function main(): Promise<void> {
  const problems = contractProblems(await declaredContracts(), await handlers());
  problems.forEach((problem) => console.log(problem));
  process.exitCode = problems.length === 0 ? 0 : 1;
}

void main();
