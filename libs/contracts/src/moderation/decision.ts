/** Never present at run time. */
declare const passed: unique symbol;

/**
 * The id of a decision by which content has passed. Only moderation makes one, from a verdict of its gate; whoever must not go
 * on without such a verdict asks for this type, and a plain id will not do.
 */
export type PassedDecisionId = string & { readonly [passed]: true };

/** Content that has passed, as the gate saw it. */
export interface PassedContent {
  decision_id: PassedDecisionId;
  /** Of each text, then of each file, in the order in which they were asked about. Absent from a gate of an older release. */
  content_sha256?: string[];
}
