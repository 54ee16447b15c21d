/** A setting with an invalid value. The message names the variable and never shows a secret. */
export class ConfigError extends Error {}
