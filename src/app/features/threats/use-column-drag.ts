import { type PointerEvent, useState } from 'react'
import type { Arrangement, Column } from '#contract/bff/arrangement.ts'
import { type ChosenColumn, placeColumn, readColumns } from './chosen-columns.ts'

type Drag = { name: Column; to: number; of: string | undefined }
type ListPointerEvent = PointerEvent<HTMLUListElement>

type ColumnDrag = {
  /** The columns as they would be if the pointer let go here. */
  shown: readonly ChosenColumn[]
  /** The column that is on its way. */
  dragged: Column | null
  /** For the handle of a column, in the list. */
  begin(name: Column, event: PointerEvent): void
  /** For the list of columns, whose first lines are those that are shown. */
  listProps: {
    onPointerMove(event: ListPointerEvent): void
    onPointerUp(event: ListPointerEvent): void
    onPointerCancel(): void
  }
}

/** Takes a column to another place by a pointer of any kind. Keys and buttons do the same. */
export function useColumnDrag(
  columns: Arrangement['columns'],
  onDrop: (name: Column, at: number) => void,
): ColumnDrag {
  const [drag, setDrag] = useState<Drag | null>(null)
  const [isDown, setIsDown] = useState(false)
  const chosen = readColumns(columns)
  const address = columns?.join()
  // What was let go stays there until the address says the same.
  const active = drag && drag.of === address ? drag : null
  const placeUnder = ({ currentTarget, clientY }: ListPointerEvent) => {
    const lines = [...currentTarget.children].slice(0, chosen.length)
    const at = lines.findIndex((line) => clientY < line.getBoundingClientRect().bottom)
    return at < 0 ? chosen.length - 1 : at
  }
  return {
    shown: active ? placeColumn(chosen, active.name, active.to) : chosen,
    dragged: isDown && active ? active.name : null,
    begin(name, event) {
      if (event.button !== 0) return
      event.preventDefault()
      // The list stays where it is in the document; a line that moves would lose the pointer.
      event.currentTarget.closest('ul')?.setPointerCapture(event.pointerId)
      setDrag({ name, to: chosen.findIndex((column) => column.name === name), of: address })
      setIsDown(true)
    },
    listProps: {
      onPointerMove(event) {
        if (!active || !isDown) return
        const to = placeUnder(event)
        if (to !== active.to) setDrag({ ...active, to })
      },
      onPointerUp(event) {
        if (!active || !isDown) return
        // The last move may not be drawn yet.
        const to = placeUnder(event)
        const isMoved = chosen[to]?.name !== active.name
        if (isMoved) onDrop(active.name, to)
        setDrag(isMoved ? { ...active, to } : null)
        setIsDown(false)
      },
      onPointerCancel() {
        setDrag(null)
        setIsDown(false)
      },
    },
  }
}
