import type { ReactNode } from 'react'

type NamedView = { id: string; name: string }

/** What asks whom a view's new threats are told. */
export type RenderWatch = (watch: {
  /** Null where it has yet to be saved. */
  view: NamedView | null
  suggestedName: string
  saveView(name: string): Promise<NamedView>
  onClose(): void
}) => ReactNode
