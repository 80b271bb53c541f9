import { type ChangeEvent, useRef } from 'react'
import { Button } from '#app/ui/button.tsx'
import { saveFile } from '#app/ui/save-file.ts'
import type { AlertProfile } from '#contract/bff/alert.ts'
import {
  PROFILE_FILE_MAX_BYTES,
  type ProfileFile,
  readProfileFile,
  writeProfileFile,
} from './profile-file.ts'

type ProfileFileButtonsProps = { profiles: readonly AlertProfile[]; onImport(file: ProfileFile): void }

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
      <Button disabled={profiles.length === 0} onClick={() => saveProfiles(profiles)}>
        Export
      </Button>
    </>
  )
}

function saveProfiles(profiles: readonly AlertProfile[]): void {
  const now = new Date()
  const file = new Blob([writeProfileFile(profiles, now)], { type: 'application/json' })
  saveFile(file, `lantern-alert-profiles-${now.toISOString().slice(0, 10)}.json`)
}
