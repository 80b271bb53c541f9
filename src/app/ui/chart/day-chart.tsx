import {
  type KeyboardEvent,
  lazy,
  type ReactNode,
  Suspense,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import { count } from '#app/format/count.ts'
import { Button } from '#app/ui/button.tsx'
import { usePreferences } from '#app/ui/preferences.ts'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'
import { whenIdle } from '#app/ui/when-idle.ts'
import { WhenSeen } from '#app/ui/when-seen.tsx'
import {
  type ChartAbout,
  type ChartSeries,
  type Counted,
  type DayChartData,
  hasPrevious,
  knownTime,
  stackSeries,
} from './chart-days.ts'
import { PreviousSwatch, Swatch } from './swatch.tsx'

/** Height of a chart's plot, and of its placeholder while it loads. */
const CHART_HEIGHT = 'h-56 print:h-40'

// Brings the charting library: only where a chart is seen.
const DayPlot = lazy(async () => ({ default: (await import('./day-plot.tsx')).DayPlot }))
const loadTable = async () => ({ default: (await import('./day-table.tsx')).DayTable })
const DayTable = lazy(loadTable)

/** Shows the table in place of the plot, and the other way round. */
const TABLE_KEY = 't'

export type DayChartProps = {
  data: DayChartData
  /** Title, time and source, which a saved picture contains. */
  about: ChartAbout
  /** Without its ending. */
  fileName: string
  /** Draws a figure as a link to what it counts. */
  renderLink?(counted: Counted, figure: ReactNode): ReactNode
}

/** Counts by day as bars, as a table, and as files of either. */
export function DayChart({ data, about, fileName, renderLink }: DayChartProps) {
  const [isTable, setIsTable] = useState(false)
  const [hasFailed, setHasFailed] = useState(false)
  const [plot, setPlot] = useState<SVGSVGElement | null>(null)
  const table = useRef<HTMLElement>(null)
  const isFocusDue = useRef(false)
  const { hasLetterKeys, timeZone } = usePreferences()
  // Memoized: the plot is drawn again when a prop of it changes.
  const stack = useMemo(() => stackSeries(data), [data])
  const caption = `${about.title}, ${about.time}`
  const isPartial = data.days.some(({ coverage }) => coverage === 'partial')

  const keysInWords = `Arrow keys go from ${data.unit} to ${data.unit}.${hasLetterKeys ? ' T shows the table.' : ''}`

  /** The focus goes along: what it was on is no longer there. */
  function turnByKey({ key, ctrlKey, metaKey, altKey }: KeyboardEvent) {
    if (key !== TABLE_KEY || !hasLetterKeys || ctrlKey || metaKey || altKey) return
    flushSync(() => setIsTable(!isTable))
    const shown = isTable ? plot : table.current
    if (shown) shown.focus()
    else isFocusDue.current = true
  }

  /** It comes when the page is idle, or now. */
  function takeTable(element: HTMLElement | null) {
    table.current = element
    if (element && isFocusDue.current) element.focus()
    if (element) isFocusDue.current = false
  }

  useEffect(() => {
    // The line may be gone when it is wanted.
    void whenIdle().then(loadTable)
  }, [])

  async function savePng() {
    const { savePicture } = await import('./save-chart.ts')
    setHasFailed(!(plot && (await savePicture(plot, { data, stack, about, fileName, timeZone }))))
  }

  async function saveCsv() {
    const { saveNumbers } = await import('./save-chart.ts')
    saveNumbers(data, fileName)
  }

  function renderTotal({ value }: ChartSeries, figure: ReactNode): ReactNode {
    const time = knownTime(data.days)
    if (!renderLink || !time || value === undefined) return figure
    return renderLink({ ...time, value, ...(data.rows === 'claims' && { rows: data.rows }) }, figure)
  }

  return (
    <figure onKeyDown={turnByKey} className="grid grid-cols-[minmax(0,1fr)] gap-2 px-4 py-3">
      <figcaption className="flex items-start gap-x-4 text-muted text-xs max-sm:flex-col">
        <span className="sr-only">{caption}</span>
        <span className="flex min-h-6 min-w-0 flex-wrap items-center gap-x-3">
          {data.series.length > 0 &&
            stack.map((part) => (
              <LegendItem key={part.color} part={part} renderLink={(figure) => renderTotal(part, figure)} />
            ))}
          {hasPrevious(data.previous) && (
            <span className="flex items-center gap-1.5">
              <PreviousSwatch />
              {data.previousName}
            </span>
          )}
          {isPartial && <span className="text-faint">Striped: incomplete day</span>}
          {data.overlap && <span className="text-faint">{data.overlap}</span>}
          {data.previous.some(({ coverage }) => coverage === 'partial') && (
            <span className="text-faint">Ring: incomplete day</span>
          )}
        </span>
        <span className="-mr-2 ml-auto flex print:hidden">
          <Button size="small" variant="quiet" aria-pressed={isTable} onClick={() => setIsTable(!isTable)}>
            Table
          </Button>
          <Button size="small" variant="quiet" onClick={saveCsv}>
            CSV
          </Button>
          <Button size="small" variant="quiet" disabled={!plot} onClick={savePng}>
            PNG
          </Button>
        </span>
      </figcaption>
      <div className="relative">
        {/* Stays behind the table: it may be saved as a picture, and is there at once. */}
        <div className={isTable ? 'invisible' : ''}>
          <WhenSeen fallback={<PlotSkeleton />}>
            <Suspense fallback={<PlotSkeleton />}>
              <div className={CHART_HEIGHT}>
                <DayPlot ref={setPlot} data={data} stack={stack} label={`${caption}. ${keysInWords}`} />
              </div>
            </Suspense>
          </WhenSeen>
        </div>
        {isTable && (
          <div className="absolute inset-0">
            <Suspense fallback={null}>
              <DayTable ref={takeTable} data={data} caption={caption} renderLink={renderLink} />
            </Suspense>
          </div>
        )}
      </div>
      {hasFailed && (
        <p role="alert" className="text-critical text-xs">
          This browser could not draw the picture. The table can be saved as CSV.
        </p>
      )}
    </figure>
  )
}

/** As high as the plot: nothing moves when it comes. */
export function PlotSkeleton() {
  return (
    <div role="status" aria-busy="true" className={CHART_HEIGHT}>
      <VisuallyHidden>Drawing…</VisuallyHidden>
      <Skeleton className="h-full w-full" />
    </div>
  )
}

type LegendItemProps = { part: ChartSeries; renderLink(figure: ReactNode): ReactNode }

function LegendItem({ part: { name, color, counts }, renderLink }: LegendItemProps) {
  return (
    <span className="flex min-h-6 min-w-0 max-w-56 items-center gap-1.5 [&>a]:min-w-0">
      <Swatch color={color} />
      {renderLink(
        <span className="flex min-h-6 min-w-0 items-center gap-1.5">
          <span className="min-w-0 truncate">
            <Untrusted text={name} maxLength={60} clip="silent" />
          </span>{' '}
          <span className="text-faint tabular-nums">
            {count(counts.reduce<number>((sum, each) => sum + (each ?? 0), 0))}
          </span>
        </span>,
      )}
    </span>
  )
}
