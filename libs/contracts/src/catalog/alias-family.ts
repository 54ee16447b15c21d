/** An alias that ends with `*` stands for every name that begins so: `gpt-image-*` for those of tomorrow, too. */
export function isAliasFamily(alias: string): boolean {
  return alias.endsWith('*');
}

/** Whether an alias is the name, or the name's family. */
export function aliasCovers(alias: string, name: string): boolean {
  return isAliasFamily(alias) ? name.startsWith(alias.slice(0, -1)) : alias === name;
}
