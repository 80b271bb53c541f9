import { useQuery } from '@tanstack/react-query'
import { sourceOptions } from '#app/features/source/source-options.ts'

type DeliveryNoteProps = {
  /** Whether the source lets Lantern see and change how its messages go. */
  sends: boolean
  /** The texts for profiles that Lantern sends and for those that a vendor sends. */
  own: string
  vendor: string
}

/** Says who sends the messages of profiles, as soon as it is known. */
export function DeliveryNote({ sends, own, vendor }: DeliveryNoteProps) {
  const { data: source } = useQuery(sourceOptions())
  if (!source) return null
  return sends || source.isOwnService ? own : vendor
}
