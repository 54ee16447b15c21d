/**
 * A day, or a time of RFC 3339 whose seconds and offset may be left out. The pattern bounds hours and minutes, because Date also
 * accepts 24:00. Leap seconds are not accepted, because no clock that dates a job has them.
 */
export const TIME_TEXT =
  /^\d{4}-\d{2}-\d{2}(?:[Tt](?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)?)?$/;

/** The time that a text of a query means, in UTC unless it names an offset; null for anything else. */
export function parseTimeText(text: string): Date | null {
  // A query decodes an unescaped plus as a space.
  const spelled = text.toUpperCase().replace(' ', '+');
  if (!TIME_TEXT.test(spelled) || !isDay(spelled.slice(0, 10))) return null;
  const hasOffset = !spelled.includes('T') || /Z|[+-]\d{2}:\d{2}$/.test(spelled);
  const time = new Date(hasOffset ? spelled : `${spelled}Z`);
  // The offset can lead to a year without four digits, which no answer could show.
  return /^\d{4}-/.test(time.toISOString()) ? time : null;
}

/** Date accepts February 30th as a day in March. */
function isDay(day: string): boolean {
  const midnight = new Date(day);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
}
