import { exactTime } from '#app/format/time.ts'
import { useTimeZone } from '#app/ui/preferences.ts'
import { Time } from '#app/ui/time.tsx'
import { useNow } from '#app/ui/use-now.ts'
import type { Session } from '#contract/bff/session.ts'
import type { WindowState } from '#contract/bff/source.ts'

type PrintFootProps = { reader: Session['user'] | undefined; window: WindowState | undefined }

/** Who printed the page, when, and how old its numbers are: paper does not update. */
export function PrintFoot({ reader, window }: PrintFootProps) {
  const timeZone = useTimeZone()
  return (
    <p>
      Lantern. Printed {exactTime(useNow(), timeZone)}
      {reader && ` by ${reader.name} (${reader.email})`}. Times and days are of the zone {timeZone}.
      {window?.lastReadAt && (
        <>
          {' '}
          Charts are of what Lantern read by <Time at={window.lastReadAt} />
          {window.from && (
            <>
              , back to <Time at={window.from} />
            </>
          )}
          .
        </>
      )}
    </p>
  )
}
