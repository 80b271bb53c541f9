import { infiniteQueryOptions, mutationOptions } from '@tanstack/react-query'
import { getJson } from '#app/api/get-json.ts'
import { request } from '#app/api/request.ts'
import { inOrder } from '#app/format/day-range.ts'
import { saveFile } from '#app/ui/save-file.ts'
import { type AuditFilter, auditPageSchema } from '#contract/bff/audit.ts'

type AuditScope = AuditFilter & { timeZone: string }

/** The zone matters, and is named, only beside a day. */
export function auditScopeOf(filter: AuditFilter, timeZone: string): AuditScope {
  return { ...inOrder(filter), timeZone: filter.from || filter.to ? timeZone : 'UTC' }
}

export function auditOptions(scope: AuditScope) {
  return infiniteQueryOptions({
    queryKey: ['audit', scope],
    queryFn: ({ pageParam, signal }) =>
      getJson('audit', auditPageSchema, { query: { ...scope, cursor: pageParam || undefined }, signal }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })
}

/** Saves all that the scope covers. */
export function exportAuditMutation(scope: AuditScope) {
  return mutationOptions({
    mutationFn: async (format: 'csv' | 'json') => {
      const response = await request('GET', '/bff/audit/export', { query: { ...scope, format } })
      const day = new Date().toISOString().slice(0, 10)
      saveFile(await response.blob(), `lantern-audit-${day}.${format}`)
    },
  })
}
