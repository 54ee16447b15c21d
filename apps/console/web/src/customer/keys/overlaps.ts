/** For how long the previous secret stays valid beside the new one. */
export const OVERLAPS = [
  ['0', 'At once'],
  ['3600', 'In an hour'],
  ['86400', 'In a day'],
  ['604800', 'In 7 days'],
] as const;
