/** A key's name has so many characters, and is not of white space and zero-width characters alone (`isVisibleText`): an operator and an account find it by its name. */
export const KEY_NAME_CHARS = { min: 1, max: 100 };
