/** Exists in the type only. */
declare const passed: unique symbol;

/**
 * The id of a decision by which content has passed. Only moderation creates one, from a verdict of its gate. Code that requires
 * such a verdict takes this type, and a plain id does not compile.
 */
export type PassedDecisionId = string & { readonly [passed]: true };

/** Content that has passed, as the gate received it. */
export interface PassedContent {
  decision_id: PassedDecisionId;
  /** One hash for each text, then for each file, in the order of the request. */
  content_sha256: string[];
}
