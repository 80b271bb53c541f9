import { Button } from '#app/ui/button.tsx'
import { CopyButton } from '#app/ui/copy-button.tsx'
import { saveFile } from '#app/ui/save-file.ts'

type RecoveryCodesProps = { codes: readonly string[]; onKept(): void }

/** Shown once: only hashes of them are kept. */
export function RecoveryCodes({ codes, onKept }: RecoveryCodesProps) {
  const text = `${codes.join('\n')}\n`
  return (
    <div className="grid gap-4">
      <p>
        Store these away from your devices. Each code replaces your second factor once. They are not shown
        again.
      </p>
      <ul aria-label="Recovery codes" className="grid gap-1 font-mono sm:grid-cols-2">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <CopyButton text={text} label="Copy all" size="medium" />
        <Button
          icon="download"
          onClick={() => saveFile(new Blob([text], { type: 'text/plain' }), 'lantern-recovery-codes.txt')}
        >
          Save as a file
        </Button>
      </div>
      <Button variant="primary" onClick={onKept} className="max-sm:h-11">
        I have saved these codes
      </Button>
    </div>
  )
}
