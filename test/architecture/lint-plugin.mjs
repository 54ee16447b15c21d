/** ESLint's rule of this name, which oxlint does not have: refuses what a selector finds. */
const noRestrictedSyntax = {
  meta: { type: 'problem', schema: false },
  create: (context) =>
    Object.fromEntries(
      context.options.map(({ selector, message }) => [selector, (node) => context.report({ node, message })]),
    ),
};

export default { meta: { name: 'kinora' }, rules: { 'no-restricted-syntax': noRestrictedSyntax } };
