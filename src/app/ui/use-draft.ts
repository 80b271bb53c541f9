import { useEffect, useEffectEvent, useState } from 'react'

const REST_MS = 300

/**
 * Text on its way into the URL. What is typed stands until the URL changes to something that was not typed here: an echo
 * of an earlier keystroke must not undo a later one, but Back, a removed chip and 'Clear all' must.
 */
export function useDraft(value: string, onCommit: (text: string) => void) {
  const draft = useOpenDraft(value, onCommit)
  useCommitAtRest(draft)
  return draft
}

/** The same, committed by its user alone. */
export function useOpenDraft(value: string, onCommit: (text: string) => void) {
  const [draft, setDraft] = useState<string | null>(null)
  const [sent, setSent] = useState(value)
  const [seen, setSeen] = useState(value)

  if (value !== seen) {
    setSeen(value)
    if (value !== sent) setDraft(null)
  }

  const commit = (text: string) => {
    const trimmed = text.trim()
    setSent(trimmed)
    if (trimmed !== value) onCommit(trimmed)
  }

  return { draft, text: draft ?? value, change: setDraft, commit }
}

type Draft = { draft: string | null; commit(text: string): void }

/** Commits what has stood as it is for so long. */
export function useCommitAtRest({ draft, commit }: Draft, restMs = REST_MS): void {
  const commitLater = useEffectEvent(commit)
  useEffect(() => {
    if (draft === null) return
    const timer = setTimeout(() => commitLater(draft), restMs)
    return () => clearTimeout(timer)
  }, [draft, restMs])
}
