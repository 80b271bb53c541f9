import type * as z from 'zod/mini'
import type { Upstream } from '#bff/vendor/client/upstream-client.ts'
import { UpstreamError } from '#bff/vendor/client/upstream-error.ts'
import { type DeliveryDetail, deliveryDetailSchema, deliveryListSchema } from '#contract/delivery.ts'
import type { ServiceLedger } from './service-ledger.ts'

/** Asks the service each time: it is on the way of a person who looks whether something has arrived. */
export function createServiceLedger(upstream: Pick<Upstream, 'offers' | 'ask'>): ServiceLedger {
  async function readOne(
    name: 'readDelivery' | 'resendDelivery',
    id: string,
  ): Promise<DeliveryDetail | null> {
    if (!(await upstream.offers(name))) return null
    try {
      const params = { id, ...(name === 'resendDelivery' && { body: {} }) }
      return parseAnswer(deliveryDetailSchema, await upstream.ask(name, params))
    } catch (error) {
      // What cannot be sent again is refused: 409.
      const isNone =
        error instanceof UpstreamError &&
        ['not_found', 'id_refused', 'unaskable', 'rejected'].includes(error.kind)
      if (isNone) return null
      throw error
    }
  }

  return {
    async list({ states, channel, profileId, threatId, cursor, limit }) {
      if (!(await upstream.offers('listDeliveries'))) return null
      const state = states?.join(',') || undefined
      const query = { state, channel, profile: profileId, threat: threatId, cursor, limit }
      return parseAnswer(deliveryListSchema, await upstream.ask('listDeliveries', { query }))
    },
    read: (id) => readOne('readDelivery', id),
    resend: (id) => readOne('resendDelivery', id),
  }
}

/** What our own service says beyond the reference is of one shape. */
export function parseAnswer<Schema extends z.ZodMiniType>(schema: Schema, body: unknown): z.output<Schema> {
  const { data, success } = schema.safeParse(body)
  if (!success) throw new UpstreamError({ set: 'earlier', kind: 'unreadable', reason: 'another shape' })
  return data
}
