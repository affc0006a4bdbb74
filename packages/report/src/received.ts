/**
 * The times at which events were received, as people say them, in UTC. The words beside them say whose clock it was:
 * they are only the service's word.
 */

const SERVICE_TIME = /^(\d{4})-(\d\d)-(\d\d)T(\d\d:\d\d):\d\d\.\d{3}Z$/;
/** The names of the months. */
export const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

/**
 * Returns a stretch between two service times: `1 to 31 March 2026`, or within one day `1 March 2026, 09:00 to 17:30
 * UTC`; null for other texts.
 */
export function stretchOf(from: string | undefined, to: string | undefined): string | null {
  const [first, last] = [partsOf(from), partsOf(to)];
  if (first === null || last === null) return null;
  if (first.date === last.date) {
    const clock = first.clock === last.clock ? first.clock : `${first.clock} to ${last.clock}`;
    return `${first.date}, ${clock} UTC`;
  }
  if (first.month === last.month) return `${first.day} to ${last.date}`;
  return `${first.year === last.year ? first.date.slice(0, -first.year.length - 1) : first.date} to ${last.date}`;
}

function partsOf(time: string | undefined) {
  const [, year = "", no = "", digits = "", clock = ""] = SERVICE_TIME.exec(time ?? "") ?? [];
  const [day, name] = [digits.replace(/^0/, ""), MONTHS[Number(no) - 1]];
  return name === undefined ? null : { year, day, clock, month: `${name} ${year}`, date: `${day} ${name} ${year}` };
}
