import { ABSENT } from './time.ts'

/** Made with the first count: it would hold up the start of the app. */
let counts: Intl.NumberFormat | undefined

/** `12,345` */
export function count(value: number | null | undefined): string {
  if (typeof value !== 'number' || !Number.isFinite(value)) return ABSENT
  counts ??= new Intl.NumberFormat('en-GB', { maximumFractionDigits: 0 })
  return counts.format(value)
}

/** `1 threat`, `12,345 threats` */
export function countOf(value: number | null | undefined, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`
}
