import { useMutationState } from '@tanstack/react-query'
import { savePreferencesKey } from './profile-options.ts'

const WORDS = {
  idle: 'Follows your account.',
  pending: 'Saving…',
  success: 'Saved to your account.',
  error: 'Kept in this browser only: it could not be saved to your account.',
} as const

/** Whether what was chosen last has reached the account. */
export function SavedNote() {
  const states = useMutationState({
    filters: { mutationKey: savePreferencesKey },
    select: ({ state }) => state.status,
  })
  const state = states.at(-1) ?? 'idle'
  return (
    <span role="status" className={`text-xs ${state === 'error' ? 'text-critical' : 'text-faint'}`}>
      {WORDS[state]}
    </span>
  )
}
