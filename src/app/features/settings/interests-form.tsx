import { useState } from 'react'
import { changePreferences, readPreferences } from '#app/ui/preferences.ts'
import { InterestFields, type Interests, readInterests, storedInterests } from './interest-fields.tsx'

/** Stores each change at once. */
export function InterestsForm() {
  const [interests, setInterests] = useState(() => readInterests(readPreferences()))
  const choose = (chosen: Interests) => {
    setInterests(chosen)
    changePreferences(storedInterests(chosen))
  }
  return (
    <div className="grid gap-4 p-4">
      <InterestFields interests={interests} onChange={choose} />
    </div>
  )
}
