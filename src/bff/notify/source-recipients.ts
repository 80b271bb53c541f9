import type { Database } from '#database/database.ts'

/** Marks what a delivery has of profiles of our own service that have its destination no more. */
export async function leaveOutFormer(tx: Database, deliveryId: string): Promise<void> {
  await tx.query(
    `update delivery_match matched set left_out = 'removed'
      where delivery_id = $1 and left_out is null
        and exists (select from source_profile where id = cause_id)
        and not exists (
          select from source_recipient recipient
           where profile_id = cause_id and recipient.destination_id = matched.destination_id)`,
    [deliveryId],
  )
}
