// Texts and numbers for which JSON has no types. The tags appear in the published API reference.

/** @format uuid */
export type Uuid = string;

/**
 * RFC 3339, in UTC.
 * @format date-time
 */
export type Timestamp = string;

/** @format date */
export type UtcDay = string;

/** @format uri */
export type Url = string;

/** @asType integer */
export type Integer = number;

/**
 * @asType integer
 * @minimum 0
 */
export type Count = number;
