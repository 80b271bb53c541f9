import { type DeliveryState, deliveryChannelSchema, deliveryStateSchema } from '#contract/delivery.ts'
import type { LedgerSearch } from '../alert-search.ts'
import type { LedgerFilter } from '../delivery-options.ts'

/** Each part for itself: one that cannot be read does not take the others with it. */
export function toLedgerFilter({ state = [], channel, profile }: LedgerSearch): LedgerFilter {
  const states = state.flatMap((one): DeliveryState[] => {
    const known = deliveryStateSchema.safeParse(one)
    return known.success ? [known.data] : []
  })
  return {
    ...(states.length > 0 && { state: states }),
    channel: deliveryChannelSchema.safeParse(channel).data,
    ...(profile !== undefined && { causeId: profile }),
  }
}

/** Which message an address opens. Bookmarks of before say first who kept the ledger: `service.ID`. */
export function readOpened(open: string | undefined): string | undefined {
  return open?.replace(/^(?:dashboard|service)\./, '')
}
