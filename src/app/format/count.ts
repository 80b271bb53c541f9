import { ABSENT } from './time.ts'

const counts = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 0 })

/** `12,345` */
export function count(value: number | null | undefined): string {
  return typeof value === 'number' && Number.isFinite(value) ? counts.format(value) : ABSENT
}

/** `1 threat`, `12,345 threats` */
export function countOf(value: number | null | undefined, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`
}
