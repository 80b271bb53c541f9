import { ABSENT } from './time.ts'

/** `12,345`. Without Intl, which takes a slow phone 30 ms to format the first number. */
export function count(value: number | null | undefined): string {
  if (typeof value !== 'number' || !Number.isFinite(value)) return ABSENT
  return Math.round(value)
    .toFixed()
    .replaceAll(/\B(?=(\d{3})+$)/g, ',')
}

/** `1 threat`, `12,345 threats` */
export function countOf(value: number | null | undefined, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`
}
