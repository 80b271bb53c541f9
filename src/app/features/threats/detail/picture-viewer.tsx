import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { IconButton } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import type { PictureAddress } from '#contract/bff/threat.ts'
import { evidenceOptions, useObjectUrl } from './evidence-picture.tsx'

type Picture = { name: string; picture: PictureAddress }

type PictureViewerProps = {
  /** Those that the reader has revealed. */
  pictures: readonly Picture[]
  /** The index of the one on show; -1 while the viewer is closed. */
  opened: number
  /** Called with -1 when the reader leaves. */
  onOpen(index: number): void
}

export function PictureViewer({ pictures, opened, onOpen }: PictureViewerProps) {
  const shown = pictures[opened]
  return (
    <Dialog isOpen={shown !== undefined} onClose={() => onOpen(-1)} title={shown?.name ?? ''} size="wide">
      {shown && (
        <Canvas
          key={shown.picture}
          {...shown}
          isAlone={pictures.length === 1}
          onPrevious={opened > 0 ? () => onOpen(opened - 1) : undefined}
          onNext={opened < pictures.length - 1 ? () => onOpen(opened + 1) : undefined}
        />
      )}
    </Dialog>
  )
}

/** Zoom factors of the picture's own size. Null fits it into its frame. */
const ZOOMS = [null, 1, 1.5, 2, 3] as const

type CanvasProps = Picture & { isAlone: boolean; onPrevious?: () => void; onNext?: () => void }

function Canvas({ name, picture, isAlone, onPrevious, onNext }: CanvasProps) {
  const src = useObjectUrl(useQuery(evidenceOptions(picture)).data)
  const [level, setLevel] = useState(0)
  const zoom = ZOOMS[level] ?? null
  const zoomIn = level < ZOOMS.length - 1 ? () => setLevel(level + 1) : undefined
  const zoomOut = level > 0 ? () => setLevel(level - 1) : undefined

  useViewerKeys({
    '+': zoomIn,
    '=': zoomIn,
    '-': zoomOut,
    '0': () => setLevel(0),
    // A picture that is larger than its frame scrolls by these.
    ArrowLeft: level === 0 ? onPrevious : undefined,
    ArrowRight: level === 0 ? onNext : undefined,
  })

  return (
    <div className="grid gap-3">
      <div className="flex items-center justify-center gap-1">
        {!isAlone && (
          <IconButton
            icon="chevron-left"
            label="Previous picture"
            disabled={!onPrevious}
            onClick={onPrevious}
          />
        )}
        <IconButton icon="minus" label="Zoom out" disabled={!zoomOut} onClick={zoomOut} />
        <output className="w-12 text-center text-muted text-xs tabular-nums">
          {zoom === null ? 'Fit' : `${zoom * 100} %`}
        </output>
        <IconButton icon="plus" label="Zoom in" disabled={!zoomIn} onClick={zoomIn} />
        {!isAlone && (
          <IconButton icon="chevron-right" label="Next picture" disabled={!onNext} onClick={onNext} />
        )}
      </div>
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keyboard
        tabIndex={0}
        aria-label={`${name}, picture`}
        className="max-h-[70dvh] overflow-auto rounded-md bg-canvas"
      >
        {src && (
          <img
            src={src}
            alt={name}
            className={zoom === null ? 'mx-auto max-h-[70dvh] max-w-full' : 'mx-auto max-w-none'}
            style={{ zoom: zoom ?? 1 }}
          />
        )}
      </section>
    </div>
  )
}

function useViewerKeys(actions: Readonly<Record<string, (() => void) | undefined>>): void {
  const follow = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    actions[event.key]?.()
  })

  useEffect(() => {
    const listen = (event: KeyboardEvent) => follow(event)
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])
}
