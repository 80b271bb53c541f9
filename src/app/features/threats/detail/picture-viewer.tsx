import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { Button, IconButton } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'
import type { PictureAddress } from '#contract/bff/threat.ts'
import { evidenceOptions, PictureUnavailable, useObjectUrl } from './evidence-picture.tsx'

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

type PictureElsewhereProps = {
  /** The host that would receive the request. It is undefined for an address that is never fetched. */
  host: string | undefined
  /** `Evidence 1` */
  name: string
  /** The picture. It is null where its host is not allowed. */
  children: ReactNode
}

/** A picture on another host. It names the host that would receive the request before it sends one. */
export function PictureElsewhere({ host, name, children }: PictureElsewhereProps) {
  const [isRequested, setIsRequested] = useState(false)
  if (isRequested) {
    return (
      <div ref={takeLostFocus} className="contents">
        {children}
      </div>
    )
  }
  if (host === undefined) {
    return <PictureUnavailable>Its address is not one that Lantern fetches.</PictureUnavailable>
  }
  const hostName = <Untrusted text={host} maxLength={80} isAddress />
  if (!children) {
    return (
      <PictureUnavailable>
        <p>
          It lies with {hostName}, which Lantern may not ask. An admin who trusts that host can name it in the
          setting EVIDENCE_HOSTS.
        </p>
      </PictureUnavailable>
    )
  }
  return (
    <PictureUnavailable title="Not fetched yet">
      <p>
        It lies with {hostName}, not with the vendor. To show it, Lantern’s server asks that host, which
        learns the server’s address, the time and which picture: nothing of you.
      </p>
      <Button size="small" icon="eye" className="mt-1" onClick={() => setIsRequested(true)}>
        <span>
          Fetch it <VisuallyHidden>: {name}</VisuallyHidden>
        </span>
      </Button>
    </PictureUnavailable>
  )
}

/** The button that was pressed is gone: the focus goes on to the one in its place. */
function takeLostFocus(place: HTMLElement | null) {
  if (document.activeElement === document.body) place?.querySelector('button')?.focus({ preventScroll: true })
}
