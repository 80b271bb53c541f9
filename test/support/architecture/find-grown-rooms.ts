import type { SourceFile } from './source-file.ts'

/** The lines of production code that a room may have, and why it needs what it last grew by. */
export type RoomBudget = { room: string; lines: number; reason: string }

/** Rooms that are large enough to have a budget for each of their folders. */
const PARTED = /^src\/(?:app|bff)\//
/** A room that is smaller than its budget by more than this gives lines back. */
const SLACK_LINES = 40

/**
 * Each room that has more lines than its budget, far fewer, or no budget, in words. A room is a folder of `src`, or of
 * `src/app` and `src/bff`; the files beside those folders are a room of their own.
 */
export function findGrownRooms(files: readonly SourceFile[], budgets: readonly RoomBudget[]): string[] {
  const counts = countRoomLines(files)
  const budgeted = new Map(budgets.map((budget) => [budget.room, budget.lines]))
  const rooms = new Set([...counts.keys(), ...budgeted.keys()])
  return [...rooms].sort().flatMap((room) => {
    const lines = counts.get(room) ?? 0
    const budget = budgeted.get(room)
    if (budget === undefined) return [`${room} has ${lines} lines and no budget`]
    if (lines > budget) {
      return [
        `${room} has ${lines} lines, its budget is ${budget}: make it smaller, or raise it with a reason`,
      ]
    }
    if (lines < budget - SLACK_LINES)
      return [`${room} has only ${lines} lines: lower its budget of ${budget}`]
    return []
  })
}

function countRoomLines(files: readonly SourceFile[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { path, text } of files) {
    if (!path.startsWith('src/') || /\.test\.tsx?$/.test(path)) continue
    const room = roomOf(path)
    counts.set(room, (counts.get(room) ?? 0) + text.trimEnd().split('\n').length)
  }
  return counts
}

function roomOf(path: string): string {
  const folders = path.split('/').slice(0, -1)
  return folders.slice(0, PARTED.test(path) ? 3 : 2).join('/')
}
