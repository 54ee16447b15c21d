// Prints violations of the import rules in the format of dependency-cruiser: each with the reason of its rule.
import { folderCycles } from './folder-cycles.mjs';

/** @returns {{ rule: string, from: string, to: string, example?: string, comment: string }[]} */
export function importViolations({ modules, summary }) {
  // dependency-cruiser first calls a reporter with a result that has no rules.
  const comments = new Map((summary.ruleSetUsed?.forbidden ?? []).map(({ name, comment }) => [name, comment]));
  return [
    ...summary.violations.map(({ rule, from, to, cycle }) => ({
      rule: rule.name,
      from,
      to,
      ...(cycle ? { example: [from, ...cycle.map(({ name }) => name)].join(' imports ') } : {}),
      comment: comments.get(rule.name),
    })),
    ...folderCycles(modules),
  ];
}

export default function report(result) {
  const violations = importViolations(result);
  const output = violations
    .map(({ rule, from, to, example, comment }) =>
      [`${rule}: ${from} → ${to}`, ...(example ? [`    ${example}`] : []), `    ${comment}`, ''].join('\n'),
    )
    .join('');
  return { output, exitCode: violations.length };
}
