import { useQuery } from '@tanstack/react-query'
import { sourceOptions } from '#app/features/source/source-options.ts'

type DeliveryNoteProps = {
  /** What is said where Lantern's own service keeps the profiles, and where a vendor does. */
  own: string
  vendor: string
}

/** Says who sends the messages of profiles, as soon as it is known: Lantern itself sends none. */
export function DeliveryNote({ own, vendor }: DeliveryNoteProps) {
  const { data: source } = useQuery(sourceOptions())
  if (!source) return null
  return source.isOwnService ? own : vendor
}
