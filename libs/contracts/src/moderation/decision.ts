/** Never present at run time. */
declare const passed: unique symbol;

/**
 * The id of a decision by which content has passed. Only moderation makes one, from a verdict of its gate; whoever must not go
 * on without such a verdict asks for this type, and a plain id will not do.
 */
export type PassedDecisionId = string & { readonly [passed]: true };
