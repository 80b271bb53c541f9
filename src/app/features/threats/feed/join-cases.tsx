import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { countOf } from '#app/format/count.ts'
import { IconButton } from '#app/ui/icon-button.tsx'
import { Menu, MenuItem } from '#app/ui/menu.tsx'
import { usePageActs } from '#app/ui/page-acts.ts'
import { reloadThreatLists } from '../threat-options.ts'

const JoinDialog = lazy(async () => ({ default: (await import('./join-dialog.tsx')).JoinDialog }))

type JoinCasesProps = {
  /** Ids of the selected threats. */
  ids: readonly string[]
  /** Each row of the list is one. */
  noun: 'case' | 'claim'
  /** The cases were joined, and the dialog is closed. */
  onJoined(): void
}

/** Offers to join the cases of two or more selected threats. */
export function JoinCases({ ids, noun, onJoined }: JoinCasesProps) {
  const queryClient = useQueryClient()
  const [isOpen, setIsOpen] = useState(false)
  const isOffered = ids.length > 1
  const open = () => setIsOpen(true)
  usePageActs(() =>
    isOffered
      ? [
          {
            label: `Same victim…: ${countOf(ids.length, `selected ${noun}`)}`,
            icon: 'copy',
            words: 'triage join cases',
            run: open,
          },
        ]
      : [],
  )
  const close = (isJoined: boolean) => {
    setIsOpen(false)
    if (!isJoined) return
    onJoined()
    // The rows are one now.
    reloadThreatLists(queryClient)
  }
  return (
    <>
      {isOffered && (
        <Menu
          label="More actions"
          align="end"
          renderTrigger={(props) => (
            <IconButton icon="more" label="More actions" className="size-7 max-sm:size-11" {...props} />
          )}
        >
          <MenuItem icon="copy" onSelect={open}>
            Same victim…
          </MenuItem>
        </Menu>
      )}
      {isOpen && (
        <Suspense>
          <JoinDialog ids={ids} onClose={close} />
        </Suspense>
      )}
    </>
  )
}
