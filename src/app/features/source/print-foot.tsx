import { useQuery } from '@tanstack/react-query'
import { sessionOptions } from '#app/features/session/session-options.ts'
import { exactTime } from '#app/format/time.ts'
import { useTimeZone } from '#app/ui/preferences.ts'
import { Time } from '#app/ui/time.tsx'
import { useNow } from '#app/ui/use-now.ts'
import { sourceOptions } from './source-options.ts'

/** On paper alone: who printed the page, when, and how old its numbers are: paper does not update. */
export function PrintFoot() {
  const { data: session } = useQuery(sessionOptions())
  const { data: source } = useQuery(sourceOptions())
  const [reader, window] = [session?.user, source?.window]
  const timeZone = useTimeZone()
  return (
    <footer className="hidden border-line border-t pt-1 text-2xs text-muted print:block">
      Lantern. Printed {exactTime(useNow(), timeZone)}
      {reader && ` by ${reader.name} (${reader.email})`}. Times and days are of the zone {timeZone}.
      {window?.lastReadAt && (
        <>
          {' '}
          Figures are of what Lantern read by <Time at={window.lastReadAt} />
          {window.from && (
            <>
              , back to <Time at={window.from} />
            </>
          )}
          .
        </>
      )}
    </footer>
  )
}
