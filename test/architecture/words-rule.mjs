import path from 'node:path';
import { wordProblems } from './words.mjs';

const DECLARED =
  ':matches(ClassDeclaration, FunctionDeclaration, TSInterfaceDeclaration, TSTypeAliasDeclaration, TSEnumDeclaration) > Identifier.id';
/** Keys of objects are left out: many belong to another system's API. */
const MEMBERS =
  ':matches(MethodDefinition, PropertyDefinition, TSPropertySignature, TSMethodSignature) > Identifier.key';

/** The folders of a path and the words of its file name, without its roles. */
const namesIn = (file) => {
  const parts = file.split('/');
  const base = parts.pop() ?? '';
  return [...parts, base.split('.')[0] ?? ''];
};

/** An ESLint rule: names of files and of their declarations use the vocabulary of the field. */
export const words = {
  meta: { type: 'suggestion', schema: [], messages: { word: '{{ problem }}' } },
  create(context) {
    const file = path.relative(context.cwd, context.filename).split(path.sep).join('/');
    const check = (node, name) => {
      for (const problem of wordProblems(name, file)) context.report({ node, messageId: 'word', data: { problem } });
    };
    const checkPattern = (node) => {
      if (node?.type === 'Identifier') check(node, node.name);
      else if (node?.type === 'AssignmentPattern') checkPattern(node.left);
      else if (node?.type === 'RestElement') checkPattern(node.argument);
      else if (node?.type === 'TSParameterProperty') checkPattern(node.parameter);
      else if (node?.type === 'ArrayPattern') node.elements.forEach(checkPattern);
      else if (node?.type === 'ObjectPattern')
        for (const one of node.properties) checkPattern(one.type === 'Property' ? one.value : one);
    };
    const checkFunction = (node) => {
      node.params.forEach(checkPattern);
    };
    return {
      Program: (node) => {
        for (const name of namesIn(file)) check(node, name);
      },
      VariableDeclarator: (node) => checkPattern(node.id),
      ':function': checkFunction,
      TSEmptyBodyFunctionExpression: checkFunction,
      [DECLARED]: (node) => check(node, node.name),
      [MEMBERS]: (node) => check(node, node.name),
    };
  },
};
