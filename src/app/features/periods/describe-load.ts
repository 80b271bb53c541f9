import { countOf } from '#app/format/count.ts'
import type { HistoryLoad, LoadOffer } from '#contract/bff/history-load.ts'

/** `July 2026`, or `June to July 2026`: the months of UTC that a time touches. */
export function monthsOf({ from, to }: { from: string; to: string }, locale?: string): string {
  const [first, last] = [Date.parse(from), Date.parse(to) - 1]
  const format = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' })
  return format.formatRange(first, Math.max(first, last))
}

/** The words of the button: what is loaded, and what that costs. */
export function describeOffer(offer: LoadOffer, locale?: string): string {
  const { isBackTo, from, calls, callsLeft } = offer
  const what = isBackTo ? `back to ${monthsOf({ from, to: from }, locale)}` : monthsOf(offer, locale)
  const left = callsLeft === null ? '' : `, ${callsLeft.toLocaleString(locale)} left today`
  return `Load ${what} (about ${countOf(calls, 'call')}${left})`
}

/** How far a load has come, or how it ended. */
export function describeLoad(load: HistoryLoad, locale?: string): string {
  const { state, pages, pagesExpected, records, added } = load
  const months = monthsOf(load, locale)
  const read = `${countOf(records, 'threat')} read, ${added.toLocaleString(locale)} new`
  if (state === 'waiting') return `${months} will be loaded next.`
  if (state === 'done') return load.reachedFrom ? `${months} is loaded.` : `${months} is loaded: ${read}.`
  if (state === 'stopped') return `Loading ${months} was stopped. What was read stays: ${read}.`
  if (state === 'failed') return `${months} could not be loaded.`
  if (load.reachedFrom) return `Loading ${months}.`
  const of = pagesExpected === null ? countOf(pages, 'page') : `page ${pages} of about ${pagesExpected}`
  return `Loading ${months}: ${of}, ${read}.`
}
