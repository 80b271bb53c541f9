import { useSearch } from '@tanstack/react-router'
import type { RowKind } from '#contract/bff/arrangement.ts'

/** Returns what the figures of a page count, from its address. */
export function useRows(): RowKind {
  return useSearch({ strict: false }).rows ?? 'cases'
}
