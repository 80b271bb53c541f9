import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import { getJson } from '#app/api/get-json.ts'
import { sendProved } from '#app/api/send-json.ts'
import { type FactorsChanged, factorsChangedSchema, factorsSchema } from '#contract/bff/factor.ts'

export function factorsOptions() {
  return queryOptions({
    queryKey: ['factors'],
    queryFn: ({ signal }) => getJson('factors', factorsSchema, { signal, background: true }),
  })
}

/** Each change answers how they are then. */
export function noteFactors(queryClient: QueryClient) {
  return ({ factors }: FactorsChanged) => {
    queryClient.setQueryData(factorsOptions().queryKey, factors)
  }
}

/** Changes that need no form. */
export function factorMutations(queryClient: QueryClient) {
  const onSuccess = noteFactors(queryClient)
  return {
    removeTotp: mutationOptions({
      mutationFn: () => sendProved('factors/totp', factorsChangedSchema, { method: 'DELETE' }),
      onSuccess,
    }),
    removePasskey: mutationOptions({
      mutationFn: (id: string) =>
        sendProved(`factors/passkeys/${id}`, factorsChangedSchema, { method: 'DELETE' }),
      onSuccess,
    }),
    renewRecoveryCodes: mutationOptions({
      mutationFn: () => sendProved('factors/recovery-codes', factorsChangedSchema, {}),
      onSuccess,
    }),
  }
}
