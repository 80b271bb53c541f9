/** SQL that formats a timestamp as ISO 8601 UTC, in milliseconds: as text, no driver reads it in a way of its own. */
export function isoUtc(column: string): string {
  return `to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}
