import { Suspense } from 'react'
import { lazyWhenIdle } from '#app/ui/when-idle.ts'

const PeriodPicker = lazyWhenIdle(async () => (await import('./period-picker.tsx')).PeriodPicker)

/** The picker of a page's header, which comes when the page is idle; its place is kept. */
export function PeriodControl() {
  return (
    <Suspense
      fallback={
        <>
          <i className="h-8 w-52 max-sm:h-11" />
          <i className="h-8 w-38 max-sm:h-11" />
        </>
      }
    >
      <PeriodPicker />
    </Suspense>
  )
}
