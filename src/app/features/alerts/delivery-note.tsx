type DeliveryNoteProps = {
  /** Whether Lantern's own service holds the profiles; undefined while nobody knows. */
  isOwnService: boolean | undefined
  /** What is said where it does, and where a vendor does. */
  own: string
  vendor: string
}

/** Says who sends the messages of profiles, as soon as it is known: Lantern itself sends none. */
export function DeliveryNote({ isOwnService, own, vendor }: DeliveryNoteProps) {
  if (isOwnService === undefined) return null
  return isOwnService ? own : vendor
}
