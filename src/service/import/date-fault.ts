const DATE_TIME =
  /^(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})(?:[T ](?<hour>\d{2}):(?<minute>\d{2})(?::(?<second>\d{2})(?:\.\d+)?)?(?<offset>Z|[+-]\d{2}:\d{2})?)?$/

/** What is wrong with a text that is no date, or no moment, of ISO 8601 as import takes them: `has no offset`, `month 13`. */
export function dateFault(text: string): string {
  const parts = DATE_TIME.exec(text)?.groups
  if (!parts) return 'is no ISO 8601 date such as 2026-06-01 or 2026-06-01T08:00:00Z'
  const { year = '', month = '', day = '', hour, minute, second, offset } = parts
  if (!/^[12]/.test(year)) return `has the year ${year}: only 1000 to 2999 are taken`
  if (Number(month) < 1 || Number(month) > 12) return `has month ${month}`
  const lastDay = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate()
  if (Number(day) < 1 || Number(day) > lastDay) return `has day ${day}, and ${year}-${month} has ${lastDay}`
  if (Number(hour ?? 0) > 23) return `has hour ${hour}`
  if (Number(minute ?? 0) > 59) return `has minute ${minute}`
  if (Number(second ?? 0) > 59) return `has second ${second}`
  if (hour !== undefined && offset === undefined) return 'has no offset: end it with Z, or such as +02:00'
  return 'is no moment of ISO 8601 such as 2026-06-01T08:00:00Z'
}
