import type { DeclaredContract } from '../../deploy/build/generate/contracts/declared-contracts';
import type { Handler } from '../../deploy/build/generate/contracts/handlers';

/** The only app whose name differs from that of its context. */
const CONTEXT_OF_APP: Record<string, string> = { 'webhook-dispatcher': 'webhooks' };

const SUBJECT_OF_KIND = {
  rpc: /^([a-z]+)\.v\d+\.[a-z]+(_[a-z]+)*$/,
  event: /^([a-z]+)\.v\d+\.event\.[a-z]+(_[a-z]+)*$/,
  signal: /^([a-z]+)\.v\d+\.signal\.[a-z]+(_[a-z]+)*$/,
};

/** The differences between contracts and handlers, one sentence each. */
export function contractProblems(declared: DeclaredContract[], handlers: Handler[]): string[] {
  return [
    ...declared.flatMap(subjectProblems),
    ...repeated(declared.map(({ contract }) => contract.subject)).map(
      (subject) => `${subject} is declared twice: give one of them another subject.`,
    ),
    ...declared.flatMap((contract) => handlerProblems(contract, handlers)),
    ...undeclared(declared, handlers),
  ];
}

function subjectProblems({ context, contract: { kind, subject } }: DeclaredContract): string[] {
  const match = SUBJECT_OF_KIND[kind].exec(subject);
  if (!match)
    return [`${subject} has not the form of ${kind === 'event' ? 'an event' : `a ${kind}`}: rename the subject.`];
  return match[1] === context
    ? []
    : [`${subject} is declared among the contracts of ${context}: move it to the folder that its subject begins with.`];
}

function handlerProblems({ context, contract: { kind, subject } }: DeclaredContract, handlers: Handler[]): string[] {
  const own = handlers.filter((handler) => handler.subject === subject);
  if (own.length === 0) return [`${subject} has no handler: add one to a controller that the app's module names.`];
  if (kind !== 'rpc') {
    return repeated(own.map(({ app }) => app)).map((app) => `${subject} has several handlers in ${app}.`);
  }
  if (own.length > 1) return [`${subject} has several handlers: ${own.map(({ method }) => method).join(', ')}.`];
  return own
    .filter(({ app }) => (CONTEXT_OF_APP[app] ?? app) !== context)
    .map(({ app }) => `${subject} is answered by ${app}: move the handler to the app of ${context}.`);
}

function undeclared(declared: DeclaredContract[], handlers: Handler[]): string[] {
  const subjects = new Set(declared.map(({ contract }) => contract.subject));
  return handlers
    .filter(({ subject }) => !subjects.has(subject))
    .map(
      ({ method, subject }) =>
        `${method} handles ${subject}, which no contract declares: export one from libs/contracts.`,
    );
}

function repeated(values: string[]): string[] {
  return [...new Set(values.filter((value, index) => values.indexOf(value) !== index))];
}
