import type { ComponentProps, Ref } from 'react'
import type { Steer } from '../filters/values-field.tsx'

/** What of the field the parts say that are loaded for it. */
export type SearchControl = Pick<
  ComponentProps<'input'>,
  'aria-expanded' | 'aria-controls' | 'aria-activedescendant' | 'aria-invalid' | 'aria-describedby'
>

/** What the field and the parts that are loaded for it share. */
export type SearchDraft = {
  id: string
  text: string
  value: string
  /** Where the next character would stand; null while the focus is elsewhere. */
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
