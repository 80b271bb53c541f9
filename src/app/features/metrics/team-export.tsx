import { ListExportDialog } from '#app/ui/export/list-export-dialog.tsx'
import type { ListColumn } from '#app/ui/export/write-list.ts'
import { periodTitle, previousPhrase } from '#contract/bff/period.ts'
import type { TeamFigures, WorkTime } from '#contract/bff/team-figures.ts'
import { closeReason } from '#contract/bff/triage-state.ts'
import { MINUTE_MS } from '#contract/duration.ts'
import { DEFINITIONS, olderWords } from './team-words.ts'

/** One figure, for all cases or for a part of them. */
type FigureRow = {
  figure: string
  part: string
  count: number
  medianMs?: number | null
  p90Ms?: number | null
  previous?: number | null
  definition: string
}

/** Rounded up, as on the page. */
const minutesOf = (milliseconds: number | null | undefined) =>
  typeof milliseconds === 'number' ? Math.ceil(milliseconds / MINUTE_MS) : null

const columnsOf = ({ period }: TeamFigures): readonly ListColumn<FigureRow>[] => [
  { id: 'figure', label: 'Figure', read: ({ figure }) => figure },
  { id: 'part', label: 'Part', read: ({ part }) => part },
  { id: 'count', label: 'Count', read: ({ count }) => count },
  { id: 'median', label: 'Median (minutes)', read: ({ medianMs }) => minutesOf(medianMs) },
  { id: 'p90', label: '90th percentile (minutes)', read: ({ p90Ms }) => minutesOf(p90Ms) },
  {
    id: 'previous',
    label: `In the same part of ${previousPhrase(period.name)} (count, or median in minutes)`,
    read: ({ previous }) => previous ?? null,
  },
  { id: 'period', label: 'Period', read: () => periodTitle(period.name) },
  { id: 'from', label: 'First day', read: () => period.from },
  { id: 'to', label: 'Last day', read: () => period.to },
  { id: 'definition', label: 'Definition', read: ({ definition }) => definition },
]

/** Saves the figures, one a line. */
export function TeamExport({ figures, onClose }: { figures: TeamFigures; onClose(): void }) {
  return (
    <ListExportDialog
      one="figure"
      list={{
        noun: 'figures',
        columns: columnsOf(figures),
        rows: toRows(figures),
        about: { period: figures.period, recordedFrom: figures.recordedFrom },
        partialReason: null,
      }}
      onClose={onClose}
    />
  )
}

function toRows({ firstLook, closing, closed, open, alerts }: TeamFigures): FigureRow[] {
  return [
    ...rowsOfTime('Time to first look', firstLook, DEFINITIONS.firstLook),
    ...rowsOfTime('Time to closing', closing, DEFINITIONS.closing),
    {
      figure: 'Cases closed',
      part: 'All',
      count: closed.cases,
      previous: closed.compared?.previous ?? null,
      definition: DEFINITIONS.closed,
    },
    ...closed.byReason.map(({ reason, cases }) => ({
      figure: 'Cases closed',
      part: closeReason(reason),
      count: cases,
      definition: DEFINITIONS.closed,
    })),
    {
      figure: 'Repeats closed by Lantern (claims)',
      part: 'All',
      count: closed.repeats,
      definition: 'Claims that Lantern closed because they say nothing new of a closed case.',
    },
    { figure: 'Open cases now', part: 'All', count: open.cases, definition: DEFINITIONS.open },
    ...open.older.map(({ days, cases }) => ({
      figure: 'Open cases now',
      part: olderWords(days),
      count: cases,
      definition: DEFINITIONS.open,
    })),
    { figure: 'Alert messages', part: 'All', count: alerts.messages, definition: DEFINITIONS.alerts },
    {
      figure: 'Alert messages',
      part: 'Within 5 minutes',
      count: alerts.inTime,
      definition: DEFINITIONS.alerts,
    },
  ]
}

function rowsOfTime(figure: string, time: WorkTime, definition: string): FigureRow[] {
  const { cases, medianMs, p90Ms, previousMedianMs, bySeverity } = time
  const previous = minutesOf(previousMedianMs)
  return [
    { figure, part: 'All', count: cases, medianMs, p90Ms, previous, definition },
    ...bySeverity.map(({ severity, cases: count, medianMs, p90Ms }) => ({
      figure,
      part: severity ?? 'Not rated',
      count,
      medianMs,
      p90Ms,
      definition,
    })),
  ]
}
