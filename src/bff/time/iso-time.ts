/** Times of this form, ISO 8601 in UTC with milliseconds, sort as texts. */
export function iso(epochMs: number): string {
  return new Date(epochMs).toISOString()
}

export function earlier(a: string, b: string): string {
  return a < b ? a : b
}

export function later(a: string, b: string): string {
  return a > b ? a : b
}
