// Fails when a contract has no handler, a handler no contract, or the previous release could not read a message: `node -r
// ./test/typescript.cjs test/contract/check-contracts.ts`
import { contractProblems } from './completeness';
import { declaredContracts } from '../../deploy/build/generate/contracts/declared-contracts';
import { handlers } from '../../deploy/build/generate/contracts/handlers';
import { releaseIncompatibilities } from './released-contracts';

async function main(): Promise<void> {
  const problems = [...contractProblems(await declaredContracts(), await handlers()), ...releaseIncompatibilities()];
  problems.forEach((problem) => console.log(problem));
  process.exitCode = problems.length === 0 ? 0 : 1;
}

void main();
