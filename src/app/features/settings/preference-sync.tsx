import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { changePreferences, type Preferences, readPreferences, usePreferences } from '#app/ui/preferences.ts'
import { profileOptions, savePreferencesMutation } from './profile-options.ts'

const REST_MS = 600

/**
 * Lets what a person chose follow the account: the account's choice comes first, but for one made since, and each change
 * goes back to it. `found` is what this browser remembered when the page was opened.
 */
export function PreferenceSync({ found }: { found: Preferences }) {
  const { data: profile } = useQuery(profileOptions())
  const save = useMutation(savePreferencesMutation(useQueryClient()))
  const preferences = usePreferences()
  /** The value that browser and account agree on, as text; `off` in a browser that stores nothing. */
  const [agreed, setAgreed] = useState<string | 'off' | null>(null)
  const stored = profile?.preferences

  const takeOver = useEffectEvent((theirs: Preferences) => {
    // A choice made during the request is newer than its answer. It is sent to the account next.
    const isOursNewer = agreed !== 'off' && textOf(readPreferences()) !== (agreed ?? textOf(found))
    if (isOursNewer) return setAgreed(textOf(theirs))
    changePreferences(theirs)
    setAgreed(textOf(readPreferences()) === textOf(theirs) ? textOf(theirs) : 'off')
  })
  const send = useEffectEvent(() => {
    const ours = readPreferences()
    setAgreed(textOf(ours))
    save.mutate(ours)
  })

  useEffect(() => {
    if (stored) takeOver(stored)
  }, [stored])

  const isNews = profile !== undefined && agreed !== 'off' && textOf(preferences) !== agreed
  const isFirst = stored === null
  const text = textOf(preferences)
  useEffect(() => {
    if (!isNews || (agreed === null && !isFirst) || text === '') return
    const timer = setTimeout(send, REST_MS)
    return () => clearTimeout(timer)
  }, [isNews, isFirst, agreed, text])

  return null
}

function textOf({ theme, timeZone, hasLetterKeys, countries, industries }: Preferences): string {
  return JSON.stringify([theme, timeZone, hasLetterKeys, countries, industries])
}
