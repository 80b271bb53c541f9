import type { AriaAttributes, Ref } from 'react'
import type { Steer } from '../filters/values-field.tsx'

/** Attributes of the field that its lazily loaded parts set. */
export type SearchControl = AriaAttributes

/** State that the field shares with its lazily loaded parts. */
export type SearchDraft = {
  id: string
  text: string
  value: string
  /** Position of the caret; null while the focus is elsewhere. */
  caret: number | null
  /** Since the field got the focus. */
  isTyping: boolean
  /** The caret stands in a value that was begun: until the typing pauses, nothing is requested. */
  isHalfTyped: boolean
  steer: Ref<Steer>
  /** Puts a text in the field, with the caret behind a part of it. */
  write(text: string, caret: number): void
  commit(text: string): void
  onControl(control: SearchControl): void
}
