import { infiniteQueryOptions, mutationOptions } from '@tanstack/react-query'
import { getJson } from '#app/api/get-json.ts'
import { request } from '#app/api/request.ts'
import { saveFile } from '#app/ui/save-file.ts'
import { type AuditFilter, auditPageSchema } from '#contract/bff/audit.ts'

export function auditOptions(filter: AuditFilter) {
  return infiniteQueryOptions({
    queryKey: ['audit', filter],
    queryFn: ({ pageParam, signal }) =>
      getJson('audit', auditPageSchema, { query: { ...filter, cursor: pageParam || undefined }, signal }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })
}

/** Saves all that the filter finds. */
export function exportAuditMutation(filter: AuditFilter) {
  return mutationOptions({
    mutationFn: async (format: 'csv' | 'json') => {
      const response = await request('GET', 'audit/export', { query: { ...filter, format } })
      const day = new Date().toISOString().slice(0, 10)
      saveFile(await response.blob(), `lantern-audit-${day}.${format}`)
    },
  })
}
