import { compareDays, type QueryDay, readDays } from './query-days.ts'
import {
  conjunctsOf,
  type FieldNode,
  type QueryFault,
  type QueryNode,
  type QueryValue,
} from './query-tree.ts'

/** A field of days with the first and the last day that it allows. `before:` allows no moment of its last day. */
type DayField = { field: FieldNode; value: QueryValue; first: QueryDay | null; last: QueryDay | null }

/**
 * Days that must hold side by side and exclude each other, such as `after:30d before:60d`. Without today, a calendar day
 * is not compared with a number of days ago: whether those exclude each other changes from day to day.
 */
export function findCrossedDays(tree: QueryNode | null, text: string, today?: string): QueryFault[] {
  const parts = tree?.kind === 'or' ? tree.parts : conjunctsOf(tree)
  const nested = parts.flatMap((part) => ('parts' in part ? findCrossedDays(part, text, today) : []))
  if (tree?.kind === 'or') return nested
  const fields = parts.flatMap((part) => readDayField(part) ?? [])
  const [crossed] = fields.flatMap((one, at) => {
    const other = fields.slice(at + 1).find((each) => isOver(one, each, today) || isOver(each, one, today))
    return other ? [toFault(one, other, { text, today })] : []
  })
  return crossed ? [crossed, ...nested] : nested
}

function readDayField(field: QueryNode): DayField | null {
  if (field.kind !== 'field' || field.values.length !== 1) return null
  const [value] = field.values
  const days = value && readDays(value.text)
  if (!days) return null
  if (field.name === 'after') return { field, value, first: days.first, last: null }
  if (field.name === 'before') return { field, value, first: null, last: days.first }
  return field.name === 'on' ? { field, value, ...days } : null
}

/** Returns true if the time of one field ends before that of another begins. */
function isOver({ field, last }: DayField, { first }: DayField, today: string | undefined): boolean {
  const order = last && first && compareDays(last, first, today)
  return order !== null && (field.name === 'before' ? order <= 0 : order < 0)
}

function toFault(
  one: DayField,
  other: DayField,
  { text, today }: { text: string; today: string | undefined },
): QueryFault {
  const written = ({ value, field }: DayField) => `“${field.name}:${value.text}”`
  const message = `No threat can match both ${written(one)} and ${written(other)}.`
  const { from, to } = other.field
  if (one.field.name === 'on' || other.field.name === 'on') return { from, to, message, fix: '' }
  const [first, last] = [one.first ?? one.last, other.first ?? other.last]
  const between = (start: number, end: number) => text.slice(start, end)
  const fix =
    first && last && compareDays(first, last, today) === 0
      ? `on:${one.value.text}${between(one.field.to, from).trimEnd()}`
      : between(one.field.from, one.value.from) +
        other.value.text +
        between(one.value.to, other.value.from) +
        one.value.text +
        between(other.value.to, to)
  return { from: one.field.from, to, message, fix }
}
