/** 09:00 of the Monday to come, by the reader's clock. */
export function nextMonday(now: Date): Date {
  const daysAhead = (8 - now.getDay()) % 7 || 7
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + daysAhead, 9)
}
