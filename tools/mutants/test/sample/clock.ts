/** Something small to mutate: hours of a clock. */

/** Says whether an hour, 0 to 23, is before noon. */
export function isMorning(hour: number): boolean {
  return hour < 12;
}

/** Counts the hours from one to another, round the clock. */
export function hoursBetween(from: number, to: number): number {
  const end = to % 24;
  let hours = 0;
  for (let hour = from; hour !== end; hour = (hour + 1) % 24) hours++;
  return hours;
}

/** No test calls this function. */
export function isNight(hour: number): boolean {
  return hour > 22;
}
