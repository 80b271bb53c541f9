import type { DeliveryChannel, DeliveryDetail, DeliveryList, DeliveryState } from '#contract/delivery.ts'

export type ServiceLedgerQuery = {
  readonly states?: readonly DeliveryState[] | undefined
  readonly channel?: DeliveryChannel | undefined
  readonly profileId?: string | undefined
  readonly threatId?: string | undefined
  readonly cursor?: string | undefined
  /** 50 unless given, 100 at most. */
  readonly limit?: number | undefined
}

/**
 * The ledger of our own service: whom its alert profiles have told. It costs no call. Throws an `UpstreamError` while the
 * service does not answer.
 */
export type ServiceLedger = {
  /** Newest first; null where the source keeps no ledger that Lantern could read. */
  list(query: ServiceLedgerQuery): Promise<DeliveryList | null>
  /** Null where there is none of that id, or no such ledger. */
  read(id: string): Promise<DeliveryDetail | null>
  /** Sends what failed, is unclear or was not sent once more; null where it is none of those. */
  resend(id: string): Promise<DeliveryDetail | null>
}
