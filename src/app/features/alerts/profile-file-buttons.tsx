import { type ChangeEvent, useRef } from 'react'
import { Button } from '#app/ui/button.tsx'
import type { AlertProfile } from '#contract/bff/alert.ts'
import {
  PROFILE_FILE_MAX_BYTES,
  type ProfileFile,
  readProfileFile,
  writeProfileFile,
} from './profile-file.ts'

type ProfileFileButtonsProps = { profiles: readonly AlertProfile[]; onImport(file: ProfileFile): void }

const REVOKE_AFTER_MS = 10_000

/** Profiles out to a file, and in from one. */
export function ProfileFileButtons({ profiles, onImport }: ProfileFileButtonsProps) {
  const input = useRef<HTMLInputElement>(null)
  const readFile = async ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const file = currentTarget.files?.item(0)
    if (!file) return
    onImport(
      file.size > PROFILE_FILE_MAX_BYTES
        ? { drafts: [], problems: ['The file is larger than 2 MB: this is no file of alert profiles.'] }
        : readProfileFile(await file.text()),
    )
    // The same file can be chosen again.
    currentTarget.value = ''
  }
  return (
    <>
      <input
        ref={input}
        type="file"
        accept="application/json,.json"
        aria-label="File of alert profiles"
        tabIndex={-1}
        className="sr-only"
        onChange={readFile}
      />
      <Button onClick={() => input.current?.click()}>Import</Button>
      <Button disabled={profiles.length === 0} onClick={() => saveFile(profiles)}>
        Export
      </Button>
    </>
  )
}

function saveFile(profiles: readonly AlertProfile[]): void {
  const now = new Date()
  const address = URL.createObjectURL(
    new Blob([writeProfileFile(profiles, now)], { type: 'application/json' }),
  )
  const link = document.createElement('a')
  link.href = address
  link.download = `lantern-alert-profiles-${now.toISOString().slice(0, 10)}.json`
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), REVOKE_AFTER_MS)
}
